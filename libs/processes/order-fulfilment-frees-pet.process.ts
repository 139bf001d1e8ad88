import type { OrderId, PetId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { FollowUp, Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/** "An order is open while placed, approved or shipped": after that it holds its pet no longer, which stays ADOPTED. */
export const orderFulfilmentFreesPet: Process<OrderEvent, ProcessCommand> = {
  name: 'order-fulfilment-frees-pet',
  on: {
    OrderDelivered: ({ data: { petId }, meta }) => [letGo(petId, meta.stream)],
    // Removed while placed or approved it was cancelled first, which releases the pet to AVAILABLE.
    OrderRemoved: ({ data: { petId, status }, meta }) => (status === 'shipped' ? [letGo(petId, meta.stream)] : []),
  },
};

const letGo = (petId: PetId, stream: string): FollowUp<ProcessCommand> => ({
  type: 'ReleasePet',
  data: { petId, holder: { kind: 'order', id: aggregateIdOf(stream) as OrderId }, to: 'ADOPTED' },
});
