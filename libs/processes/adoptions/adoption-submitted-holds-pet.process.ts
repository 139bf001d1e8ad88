import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId } from '../../domain/ids.js';
import { aggregateIdOf } from '../../eventsourcing/message.js';
import type { Process } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../process-command.js';

/**
 * Lets a submitted application hold its pet. Usually the HTTP request has already done this, and the command has no effect.
 * If a crash interrupted the request, the command completes it (contract 36.5). If the pet is no longer available, the
 * application is rejected.
 */
export const adoptionSubmittedHoldsPet: Process<AdoptionEvent, ProcessCommand> = {
  name: 'adoption-submitted-holds-pet',
  on: {
    AdoptionSubmitted: ({ data: { petId, userId }, meta }) => {
      const adoptionId = aggregateIdOf(meta.stream) as AdoptionId;
      const otherwise = { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } } as const;
      return [{ type: 'HoldPetForAdoption', data: { petId, adoptionId, ...(userId !== undefined && { userId }) }, otherwise }];
    },
  },
};
