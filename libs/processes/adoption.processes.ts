import type { AdoptionEvent } from '../domain/adoptions/adoption.events.js';
import type { AdoptionId, PetId } from '../domain/ids.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { aggregateIdOf, type Message, type RecordedEvent } from '../eventsourcing/message.js';
import type { FollowUp, Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

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

const freePet = ({ data: { petId }, meta }: RecordedEvent<Message<string, { readonly petId: PetId }>>): readonly ProcessCommand[] => [
  { type: 'FreePetFromAdoption', data: { petId, adoptionId: aggregateIdOf(meta.stream) as AdoptionId } },
];

/**
 * Ends the hold on the pet when an application ends without approval. The pet is AVAILABLE again if no other open application
 * holds it (contract 36.3).
 */
export const adoptionEndFreesPet: Process<AdoptionEvent, ProcessCommand> = {
  name: 'adoption-end-frees-pet',
  on: { AdoptionRejected: freePet, AdoptionWithdrawn: freePet, AdoptionExpired: freePet },
};

/**
 * Destroys the key of an erased applicant (contract 36.8). Usually the HTTP request has already done this, and the command has
 * no effect. If a crash interrupted the request, the command completes it.
 */
export const adoptionErasureForgetsApplicant: Process<AdoptionEvent, ProcessCommand> = {
  name: 'adoption-erasure-forgets-applicant',
  on: { AdoptionErased: ({ meta }) => [{ type: 'ForgetApplicant', data: { adoptionId: aggregateIdOf(meta.stream) as AdoptionId } }] },
};
