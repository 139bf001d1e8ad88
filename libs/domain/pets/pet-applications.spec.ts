import { describe, expect, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { AdoptionId, OrderId, PetId } from '../ids.js';
import { MAX_APPLICATIONS } from './pet-applications.js';
import { petDecider } from './pet.decider.js';
import type { PetDetails, PetEvent, PetStatus } from './pet.events.js';

const pet = specification(petDecider);
const petId = 'pet-1' as PetId;
const idOf = (number: number) => `adoption-${number}` as AdoptionId;
const details: PetDetails = { name: 'Rex', species: 'DOG', ageMonths: 24 };
const listed = (status: PetStatus = 'AVAILABLE') => ({ type: 'PetListed', data: { details, status } }) as const;
const heldBy = (...numbers: number[]) => ({ type: 'PetHeldForAdoption', data: { adoptionIds: numbers.map(idOf) } }) as const;
const freed = { type: 'PetFreedFromAdoption', data: {} } as const;
const adoptedBy = (number: number, ...others: number[]) =>
  ({ type: 'PetAdoptedByApplication', data: { adoptionId: idOf(number), otherIds: others.map(idOf) } }) as const;
const order = { kind: 'order', id: 'order-1' as OrderId } as const;
const reserved = { type: 'PetReserved', data: { holder: order, quantity: 1 } } as const;
const released = { type: 'PetReleased', data: { holder: order, from: 'PENDING', to: 'AVAILABLE' } } as const;
const retired = { type: 'PetRetired', data: { status: 'ADOPTED' } } as const;

const hold = (number: number) => ({ type: 'HoldPetForAdoption', data: { petId, adoptionId: idOf(number) } }) as const;
const free = (number: number) => ({ type: 'FreePetFromAdoption', data: { petId, adoptionId: idOf(number) } }) as const;
const adopt = (number: number) => ({ type: 'AdoptPetByApplication', data: { petId, adoptionId: idOf(number) } }) as const;
const reserve = { type: 'ReservePet', data: { petId, holder: order, quantity: 1 } } as const;
const revise = (status: PetStatus, changed: PetDetails = details) =>
  ({ type: 'UpdatePet', data: { petId, details: changed, status } }) as const;

const holdOf = (number: number, userId: string) => ({ type: 'HoldPetForAdoption', data: { ...hold(number).data, userId } }) as const;
const heldByPerson = (userId: string, ...numbers: number[]) =>
  ({ type: 'PetHeldForAdoption', data: { ...heldBy(...numbers).data, userId } }) as const;

/** Proves contract 36.3. */
describe('holding a pet for the application of a person', () => {
  it('records the person', () =>
    pet
      .given(listed(), heldBy(1))
      .when(holdOf(2, 'ann'))
      .then(heldByPerson('ann', 1, 2)));
  it('is rejected while another application of the person holds the pet', () => {
    pet.given(listed(), heldByPerson('ann', 1)).when(holdOf(2, 'ann')).thenRejected('already_applied');
    pet
      .given(listed(), heldByPerson('ann', 1), heldByPerson('ben', 1, 2), heldBy(1))
      .when(holdOf(3, 'ann'))
      .thenRejected('already_applied');
  });
  it('changes nothing the second time', () => pet.given(listed(), heldByPerson('ann', 1)).when(holdOf(1, 'ann')).thenNothing());
  it('is possible for another person, and for a person without a token', () => {
    pet
      .given(listed(), heldByPerson('ann', 1))
      .when(holdOf(2, 'ben'))
      .then(heldByPerson('ben', 1, 2));
    pet.given(listed(), heldByPerson('ann', 1)).when(hold(2)).then(heldBy(1, 2));
  });
  it('is possible again once the earlier application has ended', () => {
    pet.given(listed(), heldByPerson('ann', 1), freed).when(holdOf(2, 'ann')).then(heldByPerson('ann', 2));
    pet
      .given(listed(), heldByPerson('ann', 1), heldBy(1, 2), heldBy(2))
      .when(holdOf(3, 'ann'))
      .then(heldByPerson('ann', 2, 3));
  });
  it('does not record a program, which may send applications of many people', () => {
    pet.given(listed()).when(holdOf(1, 'client:shelter')).then(heldBy(1));
  });
});

/** Proves contract 36.3. */
describe('holding a pet for an application', () => {
  it('is recorded for an AVAILABLE pet', () => pet.given(listed()).when(hold(1)).then(heldBy(1)));
  it('is recorded with the other applications that hold the pet', () => pet.given(listed(), heldBy(1)).when(hold(2)).then(heldBy(1, 2)));
  it('changes nothing the second time', () => pet.given(listed(), heldBy(1, 2)).when(hold(1)).thenNothing());
  it('changes nothing once the application was given the pet, also after the pet was retired', () => {
    pet.given(listed(), heldBy(1), adoptedBy(1)).when(hold(1)).thenNothing();
    pet.given(listed(), heldBy(1), adoptedBy(1), retired).when(hold(1)).thenNothing();
  });
  it('changes nothing once the pet was given to another application, because that rejects this one', () =>
    pet.given(listed(), heldBy(1, 2), adoptedBy(1, 2)).when(hold(2)).thenNothing());
  it.each(['PENDING', 'ADOPTED', 'NOT_AVAILABLE'] as const)('is rejected for a pet that staff set to %s', (status) =>
    pet.given(listed(status)).when(hold(1)).thenRejected('pet_not_available'),
  );
  it('is rejected while an order holds the pet', () => pet.given(listed(), reserved).when(hold(1)).thenRejected('pet_not_available'));
  it('is possible once the order released the pet', () => pet.given(listed(), reserved, released).when(hold(1)).then(heldBy(1)));
  it('is rejected for an adopted pet', () => pet.given(listed(), heldBy(1), adoptedBy(1)).when(hold(2)).thenRejected('pet_not_available'));
  it('is rejected for a pet that is not listed', () => pet.given().when(hold(1)).thenRejected('pet_not_found'));
  it(`is rejected for application number ${MAX_APPLICATIONS + 1}`, () => {
    const all = Array.from({ length: MAX_APPLICATIONS }, (_, index) => index);
    pet
      .given(listed(), heldBy(...all.slice(1)))
      .when(hold(0))
      .then(heldBy(...all.slice(1), 0));
    pet
      .given(listed(), heldBy(...all))
      .when(hold(MAX_APPLICATIONS))
      .thenRejected('too_many_applications');
  });
});

/** Proves contract 36.3. */
describe('an application that ended', () => {
  it('frees the pet if no other application holds it', () => pet.given(listed(), heldBy(1)).when(free(1)).then(freed));
  it('leaves the pet to the other applications', () =>
    pet
      .given(listed(), heldBy(1, 2, 3))
      .when(free(2))
      .then(heldBy(1, 3)));
  it('changes nothing if it does not hold the pet', () => {
    pet.given(listed(), heldBy(1)).when(free(2)).thenNothing();
    pet.given(listed(), heldBy(1), freed).when(free(1)).thenNothing();
    pet.given(listed(), heldBy(1, 2), adoptedBy(1, 2)).when(free(2)).thenNothing();
    pet.given(listed(), reserved).when(free(1)).thenNothing();
    pet.given().when(free(1)).thenNothing();
  });
  it('makes the pet available to orders and applications', () => {
    pet.given(listed(), heldBy(1), freed).when(reserve).then(reserved);
    pet.given(listed(), heldBy(1), freed).when(hold(2)).then(heldBy(2));
  });
});

/** Proves contract 36.5. */
describe('an approved application', () => {
  it('is given the pet, and the event names the other applications', () =>
    pet
      .given(listed(), heldBy(1, 2, 3))
      .when(adopt(2))
      .then(adoptedBy(2, 1, 3)));
  it('changes nothing the second time, also after the pet was retired', () => {
    const adopted: readonly PetEvent[] = [listed(), heldBy(1, 2), adoptedBy(1, 2)];
    pet
      .given(...adopted)
      .when(adopt(1))
      .thenNothing();
    pet
      .given(...adopted, retired)
      .when(adopt(1))
      .thenNothing();
  });
  it('is rejected if another application was given the pet', () =>
    pet.given(listed(), heldBy(1, 2), adoptedBy(1, 2)).when(adopt(2)).thenRejected('pet_not_held'));
  it('is rejected if it does not hold the pet', () => {
    pet.given(listed()).when(adopt(1)).thenRejected('pet_not_held');
    pet.given(listed(), reserved).when(adopt(1)).thenRejected('pet_not_held');
    pet.given().when(adopt(1)).thenRejected('pet_not_found');
  });
});

/** Proves contract 12.7, contract 12.8 and contract 13.3. */
describe('a pet that applications hold', () => {
  it('cannot be ordered', () => pet.given(listed(), heldBy(1)).when(reserve).thenRejected('pet_not_available'));
  it('keeps its status', () => pet.given(listed(), heldBy(1)).when(revise('AVAILABLE')).thenRejected('pet_held', ['status']));
  it('accepts changed details', () => {
    const changed = { ...details, ageMonths: 25 };
    pet
      .given(listed(), heldBy(1))
      .when(revise('PENDING', changed))
      .then({ type: 'PetDetailsRevised', data: { details: changed } });
  });
  it('cannot be deleted', () => pet.given(listed(), heldBy(1)).when({ type: 'DeletePet', data: { petId } }).thenRejected('pet_held'));
  it('can be deleted or set to any status once it is adopted', () => {
    const adopted: readonly PetEvent[] = [listed(), heldBy(1), adoptedBy(1)];
    pet
      .given(...adopted)
      .when({ type: 'DeletePet', data: { petId } })
      .then(retired);
    pet
      .given(...adopted)
      .when(revise('AVAILABLE'))
      .then({ type: 'PetStatusSet', data: { from: 'ADOPTED', to: 'AVAILABLE', reason: 'staff' } });
  });
  it('is PENDING, and becomes AVAILABLE when it is freed, or ADOPTED when it is adopted', () => {
    const statusAfter = (...events: readonly PetEvent[]) => pet.given(listed(), ...events).state;
    expect(statusAfter(heldBy(1))).toMatchObject({ status: 'PENDING' });
    expect(statusAfter(heldBy(1), freed)).toMatchObject({ status: 'AVAILABLE', applications: { open: [] } });
    expect(statusAfter(heldBy(1, 2), adoptedBy(1, 2))).toMatchObject({
      status: 'ADOPTED',
      applications: { open: [], approved: [idOf(1)], lost: [idOf(2)] },
    });
  });
});
