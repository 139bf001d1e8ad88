import { describe, it } from '@jest/globals';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { processSpecification } from '../../eventsourcing/testing/process-specification.js';
import { adoptionApprovalAdoptsPet } from './adoption-approval-adopts-pet.process.js';

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
