import { describe, expect, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { ImageId, OrderId, PetId } from '../ids.js';
import { petDecider } from './pet.decider.js';
import type { PetImage } from './pet-image.js';
import { PET_STATUSES, type PetDetails, type PetEvent, type PetStatus } from './pet.events.js';

const pet = specification(petDecider);
const petId = 'pet-1' as PetId;
const thisOrder = { kind: 'order', id: 'order-1' as OrderId } as const;
const otherOrder = { kind: 'order', id: 'order-2' as OrderId } as const;

const unpriced: PetDetails = { name: 'Rex', species: 'DOG', ageMonths: 24 };
const details: PetDetails = { ...unpriced, price: '90.00', currency: 'EUR' };
const changedDetails: PetDetails = { ...details, ageMonths: 25 };

const listed = (status: PetStatus = 'AVAILABLE', as: PetDetails = details) =>
  ({ type: 'PetListed', data: { details: as, status, number: 1 } }) as const;
const revised = { type: 'PetDetailsRevised', data: { details: changedDetails } } as const;
const statusSet = (from: PetStatus, to: PetStatus) => ({ type: 'PetStatusSet', data: { from, to, reason: 'staff' } }) as const;
const reserved = { type: 'PetReserved', data: { holder: thisOrder, quantity: 2, unitPrice: '90.00', currency: 'EUR' } } as const;
const adopted = { type: 'PetAdopted', data: { holder: thisOrder } } as const;
const released = (from: PetStatus, to: PetStatus) => ({ type: 'PetReleased', data: { holder: thisOrder, from, to } }) as const;
const retired = (status: PetStatus) => ({ type: 'PetRetired', data: { status } }) as const;

const list = { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } } as const;
const revise = (as: PetDetails, status: PetStatus) => ({ type: 'UpdatePet', data: { petId, details: as, status } }) as const;
const retire = { type: 'DeletePet', data: { petId } } as const;
const reserve = (holder: typeof thisOrder | typeof otherOrder = thisOrder) =>
  ({ type: 'ReservePet', data: { petId, holder, quantity: 2 } }) as const;
const release = (holder: typeof thisOrder | typeof otherOrder, to: 'AVAILABLE' | 'ADOPTED') =>
  ({ type: 'ReleasePet', data: { petId, holder, to } }) as const;
const adopt = (holder: typeof thisOrder | typeof otherOrder = thisOrder) => ({ type: 'AdoptPet', data: { petId, holder } }) as const;

describe('listing a pet', () => {
  it('is recorded', () => pet.given().when(list).then(listed()));
  it('is recorded with the given status', () =>
    pet
      .given()
      .when({ type: 'CreatePet', data: { petId, details, status: 'NOT_AVAILABLE', number: 1 } })
      .then(listed('NOT_AVAILABLE')));
  it('is rejected for a listed pet', () => pet.given(listed()).when(list).thenRejected('pet_exists'));
  it('is rejected for a retired pet', () => pet.given(listed(), retired('AVAILABLE')).when(list).thenRejected('pet_exists'));
});

describe('revising a pet', () => {
  it('records changed details', () => pet.given(listed()).when(revise(changedDetails, 'AVAILABLE')).then(revised));
  it('records a changed status', () => pet.given(listed()).when(revise(details, 'ADOPTED')).then(statusSet('AVAILABLE', 'ADOPTED')));
  it('records changed details and a changed status together', () =>
    pet.given(listed()).when(revise(changedDetails, 'PENDING')).then(revised, statusSet('AVAILABLE', 'PENDING')));
  it('changes nothing when nothing differs', () => pet.given(listed()).when(revise(details, 'AVAILABLE')).thenNothing());
  it('changes nothing when only the member order differs', () => {
    const { name, ...rest } = details;
    pet
      .given(listed())
      .when(revise({ ...rest, name }, 'AVAILABLE'))
      .thenNothing();
  });
  it('compares with the last revision', () => pet.given(listed(), revised).when(revise(changedDetails, 'AVAILABLE')).thenNothing());
  it('records a cleared field', () =>
    pet
      .given(listed())
      .when(revise(unpriced, 'AVAILABLE'))
      .then({ type: 'PetDetailsRevised', data: { details: unpriced } }));
  it('can change any status to any other while no order holds the pet', () => {
    for (const from of PET_STATUSES)
      for (const to of PET_STATUSES) if (from !== to) pet.given(listed(from)).when(revise(details, to)).then(statusSet(from, to));
  });
  it('changes the details of a held pet', () => pet.given(listed(), reserved).when(revise(changedDetails, 'PENDING')).then(revised));
  it('is rejected when it would take a held pet from its holder', () =>
    pet.given(listed(), reserved).when(revise(changedDetails, 'AVAILABLE')).thenRejected('pet_held', ['status']));
  it('is rejected when it would take an adopted pet from an open order', () =>
    pet.given(listed(), reserved, adopted).when(revise(details, 'AVAILABLE')).thenRejected('pet_held', ['status']));
  it('can set the status again once the pet was released', () =>
    pet
      .given(listed(), reserved, released('PENDING', 'AVAILABLE'))
      .when(revise(details, 'NOT_AVAILABLE'))
      .then(statusSet('AVAILABLE', 'NOT_AVAILABLE')));
  it('is rejected for a pet that was never listed', () => pet.given().when(revise(details, 'AVAILABLE')).thenRejected('pet_not_found'));
  it('is rejected for a retired pet', () =>
    pet.given(listed(), retired('AVAILABLE')).when(revise(details, 'AVAILABLE')).thenRejected('pet_not_found'));
});

describe('retiring a pet', () => {
  it('is recorded with the status it had', () => pet.given(listed('ADOPTED')).when(retire).then(retired('ADOPTED')));
  it('is rejected while an order holds it', () => pet.given(listed(), reserved).when(retire).thenRejected('pet_held'));
  it('is rejected while an approved order holds it', () => pet.given(listed(), reserved, adopted).when(retire).thenRejected('pet_held'));
  it('is possible once the order is fulfilled', () =>
    pet.given(listed(), reserved, adopted, released('ADOPTED', 'ADOPTED')).when(retire).then(retired('ADOPTED')));
  it('is rejected the second time', () => pet.given(listed(), retired('AVAILABLE')).when(retire).thenRejected('pet_not_found'));
  it('is rejected for a pet that was never listed', () => pet.given().when(retire).thenRejected('pet_not_found'));
});

describe('reserving a pet', () => {
  it('freezes the pet’s price and currency', () => pet.given(listed()).when(reserve()).then(reserved));
  it('freezes the price of the last revision', () =>
    pet.given(listed('AVAILABLE', unpriced), { type: 'PetDetailsRevised', data: { details } }).when(reserve()).then(reserved));
  it('freezes no price when the pet has none', () =>
    pet
      .given(listed('AVAILABLE', { ...unpriced, currency: 'EUR' }))
      .when(reserve())
      .then({ type: 'PetReserved', data: { holder: thisOrder, quantity: 2 } }));
  it('keeps the terms that the order requested', () =>
    pet
      .given(listed('AVAILABLE', unpriced))
      .when({ type: 'ReservePet', data: { petId, holder: thisOrder, quantity: 1, userId: 'alice', shipDate: '2026-02-01' } })
      .then({ type: 'PetReserved', data: { holder: thisOrder, quantity: 1, userId: 'alice', shipDate: '2026-02-01' } }));
  it('changes nothing the second time', () => pet.given(listed(), reserved).when(reserve()).thenNothing());
  it('changes nothing for the order that has adopted it', () => pet.given(listed(), reserved, adopted).when(reserve()).thenNothing());
  it('is rejected for another order', () => pet.given(listed(), reserved).when(reserve(otherOrder)).thenRejected('pet_not_available'));
  it.each(['PENDING', 'ADOPTED', 'NOT_AVAILABLE'] as const)('is rejected while it is %s', (status) =>
    pet.given(listed(status)).when(reserve()).thenRejected('pet_not_available'),
  );
  it('is rejected while its price is in a withdrawn currency', () =>
    pet
      .given(listed('AVAILABLE', { ...details, currency: 'BGN' }))
      .when(reserve())
      .thenRejected('price_not_payable'));
  it('is possible for another order once the pet was released', () =>
    pet
      .given(listed(), reserved, released('PENDING', 'AVAILABLE'))
      .when(reserve(otherOrder))
      .then({ type: 'PetReserved', data: { ...reserved.data, holder: otherOrder } }));
  it('is rejected for a pet that was never listed', () => pet.given().when(reserve()).thenRejected('pet_not_found'));
  it('is rejected for a retired pet', () => pet.given(listed(), retired('AVAILABLE')).when(reserve()).thenRejected('pet_not_found'));
});

describe('releasing a pet', () => {
  it('makes it AVAILABLE when its order is cancelled', () =>
    pet.given(listed(), reserved).when(release(thisOrder, 'AVAILABLE')).then(released('PENDING', 'AVAILABLE')));
  it('makes it AVAILABLE when its order is cancelled after approval', () =>
    pet.given(listed(), reserved, adopted).when(release(thisOrder, 'AVAILABLE')).then(released('ADOPTED', 'AVAILABLE')));
  it('leaves it ADOPTED when its order is fulfilled', () =>
    pet.given(listed(), reserved, adopted).when(release(thisOrder, 'ADOPTED')).then(released('ADOPTED', 'ADOPTED')));
  it('does nothing for another order', () => pet.given(listed(), reserved).when(release(otherOrder, 'AVAILABLE')).thenNothing());
  it('does nothing the second time', () =>
    pet.given(listed(), reserved, released('PENDING', 'AVAILABLE')).when(release(thisOrder, 'AVAILABLE')).thenNothing());
  it('does nothing for a pet that was never listed', () => pet.given().when(release(thisOrder, 'AVAILABLE')).thenNothing());
  it('does nothing for a retired pet', () => pet.given(listed(), retired('AVAILABLE')).when(release(thisOrder, 'AVAILABLE')).thenNothing());
});

describe('adopting a pet', () => {
  it('is recorded for the order that holds it', () => pet.given(listed(), reserved).when(adopt()).then(adopted));
  it('does nothing the second time', () => pet.given(listed(), reserved, adopted).when(adopt()).thenNothing());
  it('does nothing for another order', () => pet.given(listed(), reserved).when(adopt(otherOrder)).thenNothing());
  it('does nothing for an order that released it', () =>
    pet.given(listed(), reserved, released('PENDING', 'AVAILABLE')).when(adopt()).thenNothing());
  it('does nothing for a pet that was never listed', () => pet.given().when(adopt()).thenNothing());
  it('does nothing for a retired pet', () => pet.given(listed(), retired('AVAILABLE')).when(adopt()).thenNothing());
});

describe('the images of a pet', () => {
  const imageOf = (id: string): PetImage => ({
    imageId: id as ImageId,
    mediaType: 'image/jpeg',
    width: 4,
    height: 3,
    bytes: 120,
    digest: `digest-${id}`,
  });
  const add = (id = 'image-1') => ({ type: 'AddPetPhoto', data: { petId, image: imageOf(id) } }) as const;
  const remove = (id = 'image-1') => ({ type: 'RemovePetPhoto', data: { petId, imageId: id as ImageId } }) as const;
  const added = (id = 'image-1') => ({ type: 'PetPhotoAdded', data: imageOf(id) }) as const;
  const removed = (id = 'image-1') => ({ type: 'PetPhotoRemoved', data: { imageId: id as ImageId, digest: `digest-${id}` } }) as const;
  const links = (count: number) => ({ ...details, photos: Array.from({ length: count }, (_, index) => `https://example.com/${index}`) });
  const many = Array.from({ length: 40 }, (_, index) => added(`image-${index}`));

  it('are added', () => pet.given(listed()).when(add()).then(added()));
  it('are added once', () => pet.given(listed(), added()).when(add()).thenNothing());
  it('are not added again after they were removed', () => pet.given(listed(), added(), removed()).when(add()).thenNothing());
  it('are added while an order holds the pet', () => pet.given(listed(), reserved).when(add()).then(added()));
  it('and its links are at most 100 (contract 37.1)', () => {
    pet
      .given(listed('AVAILABLE', links(99)))
      .when(add())
      .then(added());
    pet
      .given(listed('AVAILABLE', links(100)))
      .when(add())
      .thenRejected('too_many_photos', ['photos']);
    pet
      .given(listed('AVAILABLE', links(60)), ...many)
      .when(add('another'))
      .thenRejected('too_many_photos', ['photos']);
    pet
      .given(listed(), ...many)
      .when(revise(links(61), 'AVAILABLE'))
      .thenRejected('too_many_photos', ['photos']);
  });
  it('make room for other images when they are removed', () =>
    pet
      .given(listed('AVAILABLE', links(60)), ...many, removed('image-7'))
      .when(add('another'))
      .then(added('another')));
  it('are removed', () => pet.given(listed(), added(), added('image-2')).when(remove()).then(removed()));
  it('cannot be removed if the pet does not have them', () => {
    pet.given(listed()).when(remove()).thenRejected('image_not_found');
    pet.given(listed(), added(), removed()).when(remove()).thenRejected('image_not_found');
  });
  it('can be added and removed only for a listed pet', () => {
    pet.given().when(add()).thenRejected('pet_not_found');
    pet.given(listed(), retired('AVAILABLE')).when(remove()).thenRejected('pet_not_found');
  });
  it('are removed with the pet (contract 37.9)', () =>
    pet.given(listed(), added(), added('image-2')).when(retire).then(removed(), removed('image-2'), retired('AVAILABLE')));
});

describe('a pet’s state', () => {
  const tenant = '0190f5de-0000-7000-8000-000000000001';
  const reservation = (...events: PetEvent[]) => pet.given(listed(), ...events).state.reservation;

  it('has no tenant before the pet is listed', () => expect(pet.given().state.tenant).toBeNull());
  it('has the tenant that listed the pet', () => expect(pet.given({ ...listed(), meta: { tenant } }).state.tenant).toBe(tenant));
  it('keeps the tenant after the pet is retired', () =>
    expect(pet.given({ ...listed(), meta: { tenant } }, retired('AVAILABLE')).state.tenant).toBe(tenant));
  it('keeps the reservation and the digest of the request that made it', () =>
    expect(pet.given(listed(), { ...reserved, meta: { bodyDigest: 'digest-1' } }).state.reservation).toEqual({
      ...reserved.data,
      reservedDigest: 'digest-1',
    }));
  it('keeps no digest of a request without an idempotency key', () => expect(reservation(reserved)).toEqual(reserved.data));
  it('keeps the reservation through adoption', () => expect(reservation(reserved, adopted)).toEqual(reserved.data));
  it('drops the reservation on release', () => expect(reservation(reserved, released('PENDING', 'AVAILABLE'))).toBeNull());
});
