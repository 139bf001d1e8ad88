import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { FollowUp, Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Places the order that has reserved a pet. Usually the HTTP request has already done this, and the command has no effect. If
 * a crash interrupted the request, the command completes it (contract 24.2). If the order is rejected, the pet is released.
 */
export const petReservedPlacesOrder: Process<PetEvent, ProcessCommand> = {
  name: 'pet-reserved-places-order',
  on: {
    PetReserved: ({ data: { holder: order, ...terms }, meta }) => {
      const petId = aggregateIdOf(meta.stream) as PetId;
      const otherwise = { type: 'ReleasePet', data: { petId, holder: order, to: 'AVAILABLE' } } as const;
      return [{ type: 'CreateOrder', data: { orderId: order.id, petId, ...terms }, otherwise }];
    },
  },
};

/**
 * Requests the payment that was started on an order. Usually the HTTP request has already done this, and the command has no
 * effect. If a crash interrupted the HTTP request, the command completes it (contract 24.2).
 */
export const orderPaymentStartedRequestsPayment: Process<OrderEvent, ProcessCommand> = {
  name: 'order-payment-started-requests-payment',
  on: {
    OrderPaymentStarted: ({ data, meta }) => [{ type: 'CreatePayment', data: { orderId: aggregateIdOf(meta.stream) as OrderId, ...data } }],
  },
};

/** Charges the card or bank account of a payment that was requested (contract 15.9). */
export const paymentRequestedChargesIt: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-requested-charges-it',
  on: {
    PaymentRequested: ({ meta }) => [{ type: 'ChargePayment', data: { paymentId: aggregateIdOf(meta.stream) as PaymentId } }],
  },
};

/**
 * Approves the order of a payment that succeeded (contract 15.10). After a failed payment, records the failure on the order,
 * so that another payment of the order can start (contract 15.4).
 */
export const paymentApprovesOrder: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-approves-order',
  on: {
    PaymentSucceeded: ({ data: { orderId }, meta }) => {
      const paymentId = aggregateIdOf(meta.stream) as PaymentId;
      // The approval is rejected if the order was cancelled or removed. The payment is then refunded (contract 15.10).
      const otherwise = { type: 'RefundPayment', data: { paymentId } } as const;
      return [{ type: 'ApproveOrder', data: { orderId, paymentId }, otherwise }];
    },
    PaymentFailed: ({ data: { orderId, reason }, meta }) => [
      { type: 'FailOrderPayment', data: { orderId, paymentId: aggregateIdOf(meta.stream) as PaymentId, reason } },
    ],
  },
};

/** Records the refund of a payment on its order, so that the order's own events tell what happened to its payment (contract 13.2). */
export const paymentRefundShowsOnOrder: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-refund-shows-on-order',
  on: {
    PaymentRefunded: ({ data: { orderId }, meta }) => [
      { type: 'RecordOrderRefund', data: { orderId, paymentId: aggregateIdOf(meta.stream) as PaymentId } },
    ],
  },
};

/** Adopts the pet of an approved order (contract 13.6). */
export const orderApprovalAdoptsPet: Process<OrderEvent, ProcessCommand> = {
  name: 'order-approval-adopts-pet',
  on: {
    OrderApproved: ({ data: { petId }, meta }) => [
      { type: 'AdoptPet', data: { petId, holder: { kind: 'order', id: aggregateIdOf(meta.stream) as OrderId } } },
    ],
  },
};

/**
 * Releases the pet of a cancelled order and refunds its payment (contract 13.10). A payment that is still
 * processing cannot be refunded yet. If it succeeds later, payment-approves-order refunds it.
 */
export const orderCancellationReleasesPetAndRefunds: Process<OrderEvent, ProcessCommand> = {
  name: 'order-cancellation-releases-pet-and-refunds',
  on: {
    OrderCancelled: ({ data: { petId, paymentId }, meta }) => {
      const holder = { kind: 'order', id: aggregateIdOf(meta.stream) as OrderId } as const;
      const release: FollowUp<ProcessCommand> = { type: 'ReleasePet', data: { petId, holder, to: 'AVAILABLE' } };
      return paymentId === undefined ? [release] : [release, { type: 'RefundPayment', data: { paymentId } }];
    },
  },
};

/** Releases the pet of an order that was delivered, or removed after shipment (contract 13.6). The pet stays ADOPTED. */
export const orderFulfilmentFreesPet: Process<OrderEvent, ProcessCommand> = {
  name: 'order-fulfilment-frees-pet',
  on: {
    OrderDelivered: ({ data: { petId }, meta }) => [releaseAdopted(petId, meta.stream)],
    // A placed or approved order is cancelled before its removal. order-cancellation-releases-pet-and-refunds releases its pet.
    OrderRemoved: ({ data: { petId, status }, meta }) => (status === 'shipped' ? [releaseAdopted(petId, meta.stream)] : []),
  },
};

const releaseAdopted = (petId: PetId, stream: string): FollowUp<ProcessCommand> => ({
  type: 'ReleasePet',
  data: { petId, holder: { kind: 'order', id: aggregateIdOf(stream) as OrderId }, to: 'ADOPTED' },
});
