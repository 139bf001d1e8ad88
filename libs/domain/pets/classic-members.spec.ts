import { describe, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { PetId } from '../ids.js';
import { petDecider } from './pet.decider.js';
import type { PetDetails } from './pet.events.js';

const pet = specification(petDecider);
const petId = 'pet-1' as PetId;
const details: PetDetails = { name: 'Rex', species: 'DOG', ageMonths: 24, price: '90.00', currency: 'EUR' };
const changedDetails: PetDetails = { ...details, ageMonths: 25 };
const revised = { type: 'PetDetailsRevised', data: { details: changedDetails } } as const;

/** Proves contract 39.4. */
describe('the members of the classic variant', () => {
  const classic = { category: { id: 1, name: 'Dogs' }, tags: [{ name: 'gentle' }] };
  const tagged = { type: 'PetListed', data: { details, status: 'AVAILABLE', number: 1, classic } } as const;
  const retagged = { type: 'PetDetailsRevised', data: { details, classic: { tags: [] } } } as const;

  it('are recorded with the pet', () =>
    pet
      .given()
      .when({ type: 'CreatePet', data: { ...tagged.data, petId } })
      .then(tagged));
  it('stay when the details are revised without them', () =>
    pet
      .given(tagged, revised)
      .when({ type: 'UpdatePet', data: { ...tagged.data, petId, details: changedDetails } })
      .thenNothing());
  it('can be revised without a change of the details', () =>
    pet
      .given(tagged)
      .when({ type: 'UpdatePet', data: { petId, details, status: 'AVAILABLE', classic: { tags: [] } } })
      .then(retagged));
});
