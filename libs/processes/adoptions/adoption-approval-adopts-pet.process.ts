import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId } from '../../domain/ids.js';
import { aggregateIdOf } from '../../eventsourcing/message.js';
import type { Process } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../process-command.js';

/**
 * Gives a pet to the application that staff approve. Usually the HTTP request has already done this, and the command has no
 * effect. If a crash interrupted the request, the command completes it (contract 36.5). If the application cannot get the pet,
 * for example because another application was faster, the application is rejected.
 */
export const adoptionApprovalAdoptsPet: Process<AdoptionEvent, ProcessCommand> = {
  name: 'adoption-approval-adopts-pet',
  on: {
    AdoptionApprovalStarted: ({ data: { petId }, meta }) => {
      const adoptionId = aggregateIdOf(meta.stream) as AdoptionId;
      const otherwise = { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } } as const;
      return [{ type: 'AdoptPetByApplication', data: { petId, adoptionId }, otherwise }];
    },
  },
};
