import { describe, it } from '@jest/globals';
import type { AdoptionId } from '../../domain/ids.js';
import { processSpecification } from '../../eventsourcing/testing/process-specification.js';
import { petAdoptionDecidesApplications } from './pet-adoption-decides-applications.process.js';

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
