import { describe, it } from '@jest/globals';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { processSpecification } from '../../eventsourcing/testing/process-specification.js';
import { adoptionSubmittedHoldsPet } from './adoption-submitted-holds-pet.process.js';

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
