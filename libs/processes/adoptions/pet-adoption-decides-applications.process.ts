import type { PetEvent } from '../../domain/pets/pet.events.js';
import type { FollowUp, Process } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../process-command.js';

/** Approves the application that got the pet, and rejects the other applications for the pet (contract 36.5). */
export const petAdoptionDecidesApplications: Process<PetEvent, ProcessCommand> = {
  name: 'pet-adoption-decides-applications',
  on: {
    PetAdoptedByApplication: ({ data: { adoptionId, otherIds } }) => [
      { type: 'ApproveAdoption', data: { adoptionId } },
      ...otherIds.map((other): FollowUp<ProcessCommand> => ({
        type: 'RejectAdoption',
        data: { adoptionId: other, reason: 'pet_adopted' },
      })),
    ],
  },
};
