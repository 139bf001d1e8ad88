import type { OrderEvent } from '../../domain/orders/order.events.js';
import { messageContract, messageSpec, emptyMessage } from '../message-contract.js';
import { constantValue, currency, date, id, money, object, text, wholeNumber } from '../message-schema.js';

const orderId = id('The order', '01a0e5b0-0000-7000-8000-000000000002');
const petId = id('The pet that was ordered', '01a0e5b0-0000-7000-8000-000000000001');
const paymentId = id('The payment that paid the order', '01a0e5b0-0000-7000-8000-000000000003');
const shipDate = date('The ship date', '2026-02-01');

/** The public messages of orders. They omit the user, which is personal data (contract 22.5). */
export const orderMessages = messageContract<OrderEvent>('order', 'orders', {
  OrderPlaced: messageSpec(
    'An order was placed, and its pet is reserved.',
    object(
      {
        orderId,
        petId,
        status: constantValue('placed', 'The status of the order'),
        quantity: wholeNumber('The quantity', 1, 2),
      },
      {
        shipDate,
        unitPrice: money('The price per unit when the order was placed; absent if the pet had no price', '90.00'),
        currency: currency('The currency of the price', 'EUR'),
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
  OrderPaymentStarted: emptyMessage('A payment of the order started. The payments topic publishes its details.'),
  OrderPaymentFailed: emptyMessage('A payment of the order failed. Another payment can start. The payments topic publishes the reason.'),
  OrderPaymentRefunded: messageSpec(
    'A payment of the order was refunded, after the order was cancelled or removed.',
    object({ orderId, paymentId: id('The payment that was refunded', '01a0e5b0-0000-7000-8000-000000000003') }),
    ({ paymentId }, orderId) => ({ orderId, paymentId }),
  ),
  OrderApproved: messageSpec(
    'The order was paid.',
    object({ orderId, petId, status: constantValue('approved', 'The status of the order'), paymentId }),
    ({ petId, paymentId }, orderId) => ({ orderId, petId, status: 'approved', paymentId }),
  ),
  OrderShipped: messageSpec(
    'The order was shipped.',
    object({ orderId, status: constantValue('shipped', 'The status of the order'), shipDate }),
    ({ shipDate }, orderId) => ({ orderId, status: 'shipped', shipDate }),
  ),
  OrderDelivered: messageSpec(
    'The order was delivered.',
    object({ orderId, petId, status: constantValue('delivered', 'The status of the order') }),
    ({ petId }, orderId) => ({ orderId, petId, status: 'delivered' }),
  ),
  OrderCancelled: messageSpec(
    'The order was cancelled. Its pet is released, and a succeeded payment is refunded.',
    object({
      orderId,
      petId,
      status: constantValue('cancelled', 'The status of the order'),
      reason: text(
        '`requested`: a client deleted the order. `unpaid`: the order was not paid in time. Other values may be added',
        'requested',
        'unpaid',
      ),
    }),
    ({ petId, reason }, orderId) => ({ orderId, petId, status: 'cancelled', reason }),
  ),
  OrderRemoved: messageSpec(
    'The order was removed and can no longer be read. Its history is kept.',
    object({ orderId, petId, removed: constantValue(true, 'The order is removed') }),
    ({ petId }, orderId) => ({ orderId, petId, removed: true }),
  ),
  OrderCallbackRequested: emptyMessage('A client requested a callback with the status of the order.'),
  OrderCallbackEnded: emptyMessage('A callback was delivered, or was parked after its last attempt.'),
});
