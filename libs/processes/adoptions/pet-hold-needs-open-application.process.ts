import type { PetEvent } from '../../domain/pets/pet.events.js';
import type { Process } from '../../eventsourcing/process.js';
import { aggregateIdOf } from '../../eventsourcing/message.js';
import type { PetId } from '../../domain/ids.js';
import type { ProcessCommand } from '../process-command.js';

/**
 * Frees a pet if the application that holds it has ended (contract 36.5). An application may end after its status was checked
 * and before its hold is appended. In that case adoption-end-frees-pet frees nothing, because there is no hold yet.
 */
export const petHoldNeedsOpenApplication: Process<PetEvent, ProcessCommand> = {
  name: 'pet-hold-needs-open-application',
  on: {
    PetHeldForAdoption: ({ data: { adoptionIds }, meta }) => {
      // This event records a new hold, whose application is the last of the list, or that one of several holds has ended. In
      // the second case no application is new, so the check of the last one is unnecessary but harmless.
      const newest = adoptionIds.at(-1);
      if (newest === undefined) return [];
      return [{ type: 'FreePetIfEnded', data: { petId: aggregateIdOf(meta.stream) as PetId, adoptionId: newest } }];
    },
  },
};
