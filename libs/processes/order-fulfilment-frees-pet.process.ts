import type { OrderId, PetId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { FollowUp, Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

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
