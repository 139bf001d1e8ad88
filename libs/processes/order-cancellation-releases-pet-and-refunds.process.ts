import type { OrderId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { FollowUp, Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

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
