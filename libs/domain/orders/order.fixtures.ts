import type { GivenEvent } from '../../eventsourcing/testing/recorded.js';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { OrderId, PaymentId, PetId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';
import { orderDecider } from './order.decider.js';
import type { OrderDetails, OrderEvent, OrderStatus } from './order.events.js';

/** The specification of the order decider, with the events and commands that its specs use. */
export const order = specification(orderDecider);
export const orderId = 'order-1' as OrderId;
export const petId = 'pet-1' as PetId;
export const paymentId = 'payment-1' as PaymentId;
export const otherPaymentId = 'payment-2' as PaymentId;

export const details: OrderDetails = { petId, userId: 'alice', quantity: 2, unitPrice: '45.00', currency: 'EUR' };
export const unpriced: OrderDetails = { petId, quantity: 1 };
export const terms: PaymentTerms = {
  amount: '90.00',
  currency: 'EUR',
  source: { object: 'card', number: '************4242', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
  reference: 'ref-1',
};

export const placed = { type: 'OrderPlaced', data: details } as const;
export const placedUnpriced = { type: 'OrderPlaced', data: unpriced } as const;
export const started = { type: 'OrderPaymentStarted', data: { paymentId, ...terms } } as const;
export const paymentFailed = { type: 'OrderPaymentFailed', data: { paymentId, reason: 'card_declined' } } as const;
export const approved = { type: 'OrderApproved', data: { petId, paymentId } } as const;
export const shipped = (shipDate: string) => ({ type: 'OrderShipped', data: { shipDate } }) as const;
export const delivered = { type: 'OrderDelivered', data: { petId } } as const;
export const cancelledUnpaid = { type: 'OrderCancelled', data: { reason: 'unpaid', petId } } as const;
export const cancelled = (payment?: PaymentId) =>
  ({ type: 'OrderCancelled', data: { reason: 'requested', petId, ...(payment && { paymentId: payment }) } }) as const;
export const removed = (status: OrderStatus) => ({ type: 'OrderRemoved', data: { petId, status } }) as const;

/** The events that lead to each status, and to removal. */
export const toPlaced: GivenEvent<OrderEvent>[] = [placed];
export const toApproved: GivenEvent<OrderEvent>[] = [...toPlaced, started, approved];
export const toShipped: GivenEvent<OrderEvent>[] = [...toApproved, shipped('2026-02-01')];
export const toDelivered: GivenEvent<OrderEvent>[] = [...toShipped, delivered];
export const toCancelled: GivenEvent<OrderEvent>[] = [...toPlaced, cancelledUnpaid];
export const toRemoved: GivenEvent<OrderEvent>[] = [...toCancelled, removed('cancelled')];

export const place = (as: OrderDetails = details) => ({ type: 'CreateOrder', data: { orderId, ...as } }) as const;
export const pay = (change: Partial<PaymentTerms & { paymentId: PaymentId; today: string }> = {}) =>
  ({ type: 'StartOrderPayment', data: { orderId, paymentId, today: '2026-02-01', ...terms, ...change } }) as const;
export const failPayment = { type: 'FailOrderPayment', data: { orderId, paymentId, reason: 'card_declined' } } as const;
export const approve = { type: 'ApproveOrder', data: { orderId, paymentId } } as const;
export const ship = { type: 'ShipOrder', data: { orderId, today: '2026-02-01' } } as const;
export const deliver = { type: 'DeliverOrder', data: { orderId } } as const;
export const remove = { type: 'DeleteOrder', data: { orderId } } as const;
export const expire = (placedBefore: string) => ({ type: 'ExpireOrder', data: { orderId, placedBefore } }) as const;
