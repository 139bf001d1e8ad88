import type { PetId } from '../domain/ids.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Places the order of a reserved pet, in case the service crashed between PetReserved and OrderPlaced
 * (contract 24.2). The pet is released when the order cannot be placed.
 */
export const petReservedPlacesOrder: Process<PetEvent, ProcessCommand> = {
  name: 'pet-reserved-places-order',
  on: {
    PetReserved: ({ data: { holder, ...terms }, meta }) => {
      const petId = aggregateIdOf(meta.stream) as PetId;
      const otherwise = { type: 'ReleasePet', data: { petId, holder, to: 'AVAILABLE' } } as const;
      return [{ type: 'PlaceOrder', data: { orderId: holder.id, petId, ...terms }, otherwise }];
    },
  },
};
