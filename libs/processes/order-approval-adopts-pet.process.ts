import type { OrderId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/** Adopts the pet of an approved order (contract 13.6). */
export const orderApprovalAdoptsPet: Process<OrderEvent, ProcessCommand> = {
  name: 'order-approval-adopts-pet',
  on: {
    OrderApproved: ({ data: { petId }, meta }) => [
      { type: 'AdoptPet', data: { petId, holder: { kind: 'order', id: aggregateIdOf(meta.stream) as OrderId } } },
    ],
  },
};
