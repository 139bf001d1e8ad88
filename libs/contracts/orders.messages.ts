import type { OrderEvent } from '../domain/orders/order.events.js';
import { messageContract } from './message-contract.js';

/** What outsiders see of orders. Whose they are is not told: "no personal data". */
export const orderMessages = messageContract<OrderEvent>('order', 'orders', {
  OrderPlaced: ({ petId, quantity, shipDate, unitPrice, currency }, orderId) => ({
    orderId,
    petId,
    status: 'placed',
    quantity,
    shipDate,
    unitPrice,
    currency,
  }),
  // An attempt to pay is the payment's story, and told by its own topic.
  OrderPaymentStarted: 'private',
  OrderPaymentFailed: 'private',
  OrderApproved: ({ petId, paymentId }, orderId) => ({ orderId, petId, status: 'approved', paymentId }),
  OrderShipped: ({ shipDate }, orderId) => ({ orderId, status: 'shipped', shipDate }),
  OrderDelivered: ({ petId }, orderId) => ({ orderId, petId, status: 'delivered' }),
  OrderCancelled: ({ petId, reason }, orderId) => ({ orderId, petId, status: 'cancelled', reason }),
  OrderRemoved: ({ petId }, orderId) => ({ orderId, petId, removed: true }),
});
