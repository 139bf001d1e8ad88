import type { OrderEvent } from '../domain/orders/order.events.js';
import { messageContract, told, untold } from './message-contract.js';
import { always, currency, date, id, money, object, text, wholeNumber } from './message-schema.js';

const orderId = id('The order', '01a0e5b0-0000-7000-8000-000000000002');
const petId = id('The pet that was ordered', '01a0e5b0-0000-7000-8000-000000000001');
const paymentId = id('The payment that paid it', '01a0e5b0-0000-7000-8000-000000000003');
const shipDate = date('When it is shipped', '2026-02-01');

/** What outsiders see of orders. Whose they are is not told: "no personal data". */
export const orderMessages = messageContract<OrderEvent>('order', 'orders', {
  OrderPlaced: told(
    'An order was placed, and its pet is kept for it.',
    object(
      {
        orderId,
        petId,
        status: always('placed', 'What the order is now'),
        quantity: wholeNumber('How many', 1, 2),
      },
      {
        shipDate,
        unitPrice: money('The price of one, frozen when the order was placed; absent when the pet had none', '90.00'),
        currency: currency('Of the price', 'EUR'),
      },
    ),
    ({ petId, quantity, shipDate, unitPrice, currency }, orderId) => ({
      orderId,
      petId,
      status: 'placed',
      quantity,
      shipDate,
      unitPrice,
      currency,
    }),
  ),
  OrderPaymentStarted: untold('An attempt to pay has begun. It is the payment’s story, and told by the topic of payments.'),
  OrderPaymentFailed: untold('An attempt to pay has failed, and another may begin. The topic of payments tells why.'),
  OrderApproved: told(
    'The order was paid.',
    object({ orderId, petId, status: always('approved', 'What the order is now'), paymentId }),
    ({ petId, paymentId }, orderId) => ({ orderId, petId, status: 'approved', paymentId }),
  ),
  OrderShipped: told(
    'The order is on its way.',
    object({ orderId, status: always('shipped', 'What the order is now'), shipDate }),
    ({ shipDate }, orderId) => ({ orderId, status: 'shipped', shipDate }),
  ),
  OrderDelivered: told(
    'The order has arrived.',
    object({ orderId, petId, status: always('delivered', 'What the order is now') }),
    ({ petId }, orderId) => ({ orderId, petId, status: 'delivered' }),
  ),
  OrderCancelled: told(
    'The order was cancelled: its pet is free again, and what was paid is given back.',
    object({
      orderId,
      petId,
      status: always('cancelled', 'What the order is now'),
      reason: text('`requested`, or `unpaid` when it was not paid in time; others may come', 'requested', 'unpaid'),
    }),
    ({ petId, reason }, orderId) => ({ orderId, petId, status: 'cancelled', reason }),
  ),
  OrderRemoved: told(
    'The order was taken out of the reads; its history stays.',
    object({ orderId, petId, removed: always(true, 'It is gone') }),
    ({ petId }, orderId) => ({ orderId, petId, removed: true }),
  ),
  OrderCallbackRequested: untold('A client requested a callback with the status of the order.'),
  OrderCallbackEnded: untold('A callback was delivered, or its receiver could not be reached.'),
});
