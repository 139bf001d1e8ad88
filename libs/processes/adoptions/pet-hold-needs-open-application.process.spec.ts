import { describe, it } from '@jest/globals';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { processSpecification } from '../../eventsourcing/testing/process-specification.js';
import { petHoldNeedsOpenApplication } from './pet-hold-needs-open-application.process.js';

const process = processSpecification(petHoldNeedsOpenApplication);
const [petId, first, newest] = ['0190-1' as PetId, '0190-4' as AdoptionId, '0190-5' as AdoptionId];

/** Proves contract 36.5. */
describe('a pet that applications hold', () => {
  it('is freed from the newest application if that has ended', () =>
    process
      .given({ type: 'PetHeldForAdoption', data: { adoptionIds: [first, newest] }, meta: { stream: `pet-${petId}` } })
      .expect({ type: 'FreePetIfEnded', data: { petId, adoptionId: newest } }));
});
