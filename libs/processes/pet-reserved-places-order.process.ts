import type { PetId } from '../domain/ids.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
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
      return [{ type: 'PlaceOrder', data: { orderId: order.id, petId, ...terms }, otherwise }];
    },
  },
};
