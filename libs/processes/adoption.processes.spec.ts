import { describe, it } from '@jest/globals';
import type { AdoptionId, PetId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import {
  adoptionApprovalAdoptsPet,
  adoptionEndFreesPet,
  adoptionErasureForgetsApplicant,
  adoptionSubmittedHoldsPet,
  petAdoptionDecidesApplications,
  petHoldNeedsOpenApplication,
} from './adoption.processes.js';

describe('adoption-submitted-holds-pet', () => {
  const process = processSpecification(adoptionSubmittedHoldsPet);
  const meta = { stream: 'adoption-0190-4' };
  const petId = '0190-1' as PetId;
  const adoptionId = '0190-4' as AdoptionId;

  describe('a submitted application', () => {
    it('holds its pet, or is rejected if the pet is no longer available', () =>
      process.given({ type: 'AdoptionSubmitted', data: { petId, userId: 'ann' }, meta }).expect({
        type: 'HoldPetForAdoption',
        data: { petId, adoptionId, userId: 'ann' },
        otherwise: { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } },
      }));
  });

  describe('an erased application', () => {
    it('does not hold its pet again', () => process.given({ type: 'AdoptionErased', data: {}, meta }).expect());
  });
});

describe('pet-hold-needs-open-application', () => {
  const process = processSpecification(petHoldNeedsOpenApplication);
  const [petId, first, newest] = ['0190-1' as PetId, '0190-4' as AdoptionId, '0190-5' as AdoptionId];

  /** Proves contract 36.5. */
  describe('a pet that applications hold', () => {
    it('is freed from the newest application if that has ended', () =>
      process
        .given({ type: 'PetHeldForAdoption', data: { adoptionIds: [first, newest] }, meta: { stream: `pet-${petId}` } })
        .expect({ type: 'FreePetIfEnded', data: { petId, adoptionId: newest } }));
  });
});

describe('adoption-approval-adopts-pet', () => {
  const process = processSpecification(adoptionApprovalAdoptsPet);
  const meta = { stream: 'adoption-0190-4' };
  const petId = '0190-1' as PetId;
  const adoptionId = '0190-4' as AdoptionId;

  describe('an application that staff approve', () => {
    it('is given its pet, or is rejected if the pet is no longer available', () =>
      process.given({ type: 'AdoptionApprovalStarted', data: { petId }, meta }).expect({
        type: 'AdoptPetByApplication',
        data: { petId, adoptionId },
        otherwise: { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } },
      }));
  });

  describe('an approved application', () => {
    it('causes no command', () => process.given({ type: 'AdoptionApproved', data: { petId }, meta }).expect());
  });
});

describe('pet-adoption-decides-applications', () => {
  const process = processSpecification(petAdoptionDecidesApplications);
  const meta = { stream: 'pet-0190-1' };
  const [first, second, third] = ['0190-4', '0190-5', '0190-6'] as AdoptionId[] as [AdoptionId, AdoptionId, AdoptionId];

  describe('a pet that was given to an application', () => {
    it('approves the application and rejects the others', () =>
      process
        .given({ type: 'PetAdoptedByApplication', data: { adoptionId: second, otherIds: [first, third] }, meta })
        .expect(
          { type: 'ApproveAdoption', data: { adoptionId: second } },
          { type: 'RejectAdoption', data: { adoptionId: first, reason: 'pet_adopted' } },
          { type: 'RejectAdoption', data: { adoptionId: third, reason: 'pet_adopted' } },
        ));
  });

  describe('a pet that applications hold', () => {
    it('causes no command', () => process.given({ type: 'PetHeldForAdoption', data: { adoptionIds: [first] }, meta }).expect());
  });
});

describe('adoption-end-frees-pet', () => {
  const process = processSpecification(adoptionEndFreesPet);
  const meta = { stream: 'adoption-0190-4' };
  const petId = '0190-1' as PetId;
  const free = { type: 'FreePetFromAdoption', data: { petId, adoptionId: '0190-4' as AdoptionId } } as const;

  describe('an application that ended', () => {
    it('frees its pet when it was rejected', () =>
      process.given({ type: 'AdoptionRejected', data: { petId, reason: 'declined' }, meta }).expect(free));
    it('frees its pet when it was withdrawn', () => process.given({ type: 'AdoptionWithdrawn', data: { petId }, meta }).expect(free));
    it('frees its pet when it expired', () => process.given({ type: 'AdoptionExpired', data: { petId }, meta }).expect(free));
  });

  describe('an approved application', () => {
    it('keeps its pet', () => process.given({ type: 'AdoptionApproved', data: { petId }, meta }).expect());
  });
});

describe('adoption-erasure-forgets-applicant', () => {
  const process = processSpecification(adoptionErasureForgetsApplicant);

  describe('an erased application', () => {
    it('causes the command that forgets its applicant', () =>
      process
        .given({ type: 'AdoptionErased', data: {}, meta: { stream: 'adoption-0190-4' } })
        .expect({ type: 'ForgetApplicant', data: { adoptionId: '0190-4' as AdoptionId } }));
  });
});
