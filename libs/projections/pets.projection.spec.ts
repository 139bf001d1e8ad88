import { describe, expect, it } from '@jest/globals';
import type { ImageId, OrderId } from '../domain/ids.js';
import type { PetDetails, PetEvent } from '../domain/pets/pet.events.js';
import { handlerOf, type Document } from '../eventsourcing/projection.js';
import { recorded, type GivenEvent } from '../eventsourcing/testing/recorded.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import { petsProjection } from './pets.projection.js';

const tenant = '0190f5de-0000-7000-8000-000000000001';
const at = (second: number) => ({ time: `2026-01-02T03:04:0${second}.000Z` });
const everything: PetDetails = {
  name: 'Rex',
  species: 'DOG',
  breed: 'Border Collie',
  ageMonths: 24,
  size: 'MEDIUM',
  color: 'black',
  gender: 'MALE',
  goodWithKids: true,
  price: '90.50',
  currency: 'EUR',
  description: 'Herds everything',
  photos: ['https://example.org/rex.jpg'],
  medicalInfo: { healthNotes: 'fit', vaccinated: true, spayedNeutered: false, specialNeeds: false, microchipped: true },
};
const bare: PetDetails = { name: 'Rex', species: 'DOG', ageMonths: 24 };
const holder = { kind: 'order', id: 'order-1' as OrderId } as const;

const listed = (details: PetDetails = bare) => ({ type: 'PetListed', data: { details, status: 'AVAILABLE' }, meta: at(1) }) as const;
const fold = (...events: GivenEvent<PetEvent>[]) => foldProjection(petsProjection, events);
const json = (...events: GivenEvent<PetEvent>[]) => JSON.stringify(fold(...events)?.body);
const statusAfter = (event: GivenEvent<PetEvent>) => {
  const document = fold(listed(), { ...event, meta: at(2) });
  return [document?.body.status, document?.fields.status, document?.body.createdAt, document?.body.updatedAt, document?.fields.createdAt];
};

describe('a listed pet', () => {
  it('has all members in the documented order', () =>
    expect(json({ ...listed(everything), meta: { ...at(1), tenant } })).toBe(
      '{"id":"1","species":"DOG","name":"Rex","breed":"Border Collie","ageMonths":24,"size":"MEDIUM","color":"black","gender":"MALE",' +
        '"goodWithKids":true,"price":"90.50","currency":"EUR","description":"Herds everything","status":"AVAILABLE",' +
        '"photos":["https://example.org/rex.jpg"],"medicalInfo":{"spayedNeutered":false,"vaccinated":true,"microchipped":true,' +
        '"specialNeeds":false,"healthNotes":"fit"},"createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z",' +
        `"tenantId":"${tenant}"}`,
    ));
  it('omits absent fields, and the tenant in the shared pool', () =>
    expect(json(listed())).toBe(
      '{"id":"1","species":"DOG","name":"Rex","ageMonths":24,"status":"AVAILABLE","createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('omits absent medical fields', () =>
    expect(json(listed({ ...bare, medicalInfo: { vaccinated: false } }))).toContain('"medicalInfo":{"vaccinated":false}'));
  it('has the fields that queries filter by', () =>
    expect(fold({ ...listed(everything), meta: { ...at(1), tenant } })?.fields).toStrictEqual({
      tenant,
      status: 'AVAILABLE',
      species: 'DOG',
      size: 'MEDIUM',
      goodWithKids: 1,
      ageMonths: 24,
      createdAt: '2026-01-02T03:04:01.000Z',
      priceMinor: 9050,
      vaccinated: 1,
      spayedNeutered: 0,
      specialNeeds: 0,
      number: 2 ** 52 + 1,
      classic: null,
    }));
  it('has its number, and the members of the classic variant, which its JSON does not show', () => {
    const classic = { tags: [{ id: 1, name: 'gentle' }] };
    const tagged = { ...listed(), data: { ...listed().data, number: 7, classic } };
    const revised = { type: 'PetDetailsRevised', data: { details: { ...bare, name: 'Max' } }, meta: at(2) } as const;
    const cleared = { ...revised, data: { ...revised.data, classic: {} } };
    expect(fold(tagged)?.fields).toMatchObject({ number: 7, classic: JSON.stringify(classic) });
    expect(fold(tagged, revised)?.fields).toMatchObject({ number: 7, classic: JSON.stringify(classic) });
    expect(fold(tagged, revised, cleared)?.fields).toMatchObject({ number: 7, classic: null });
    expect(json(tagged)).toBe(json(listed()));
  });
  it('has null for absent fields, which no filter matches', () =>
    expect(fold(listed())?.fields).toMatchObject({
      tenant: 'shared',
      size: null,
      goodWithKids: null,
      priceMinor: null,
      vaccinated: null,
      spayedNeutered: null,
      specialNeeds: null,
    }));
});

describe('a revised pet', () => {
  const revised = (details: PetDetails) => ({ type: 'PetDetailsRevised', data: { details }, meta: at(2) }) as const;

  it('has the new details and the time of the revision', () => {
    const document = fold(listed(), revised(everything));
    expect(document?.body).toEqual({ ...fold(listed(everything))?.body, updatedAt: '2026-01-02T03:04:02.000Z' });
    expect(document?.fields).toEqual(fold(listed(everything))?.fields);
  });
  it('loses the fields that the revision omits', () =>
    expect(json(listed(everything), revised(bare))).toBe(json(listed()).replace('01.000Z"}', '02.000Z"}')));
  it('keeps its status', () =>
    expect(fold(listed(), { type: 'PetReserved', data: { holder, quantity: 1 } }, revised(everything))?.body.status).toBe('PENDING'));
});

describe('a pet’s status', () => {
  const expected = (status: string) => [status, status, '2026-01-02T03:04:01.000Z', '2026-01-02T03:04:02.000Z', '2026-01-02T03:04:01.000Z'];

  it('is the status that staff set', () =>
    expect(statusAfter({ type: 'PetStatusSet', data: { from: 'AVAILABLE', to: 'NOT_AVAILABLE', reason: 'staff' } })).toEqual(
      expected('NOT_AVAILABLE'),
    ));
  it('is PENDING once reserved', () =>
    expect(statusAfter({ type: 'PetReserved', data: { holder, quantity: 1 } })).toEqual(expected('PENDING')));
  it('is ADOPTED once adopted', () => expect(statusAfter({ type: 'PetAdopted', data: { holder } })).toEqual(expected('ADOPTED')));
  it('is the status to which it is released', () =>
    expect(statusAfter({ type: 'PetReleased', data: { holder, from: 'ADOPTED', to: 'ADOPTED' } })).toEqual(expected('ADOPTED')));
});

describe('the photos of a pet', () => {
  const image = { mediaType: 'image/png', width: 4, height: 3, bytes: 12, digest: 'abc' } as const;
  const added = (imageId: string) => ({ type: 'PetPhotoAdded', data: { ...image, imageId: imageId as ImageId }, meta: at(2) }) as const;
  const removed = (imageId: string) =>
    ({ type: 'PetPhotoRemoved', data: { imageId: imageId as ImageId, digest: 'abc' }, meta: at(3) }) as const;
  const [one, other] = ['01a0e5b0-0000-7000-8000-000000000008', '01a0e5b0-0000-7000-8000-000000000009'] as const;
  const reference = (imageId: string): string => `image:/v1/pets/${petId}/images/${imageId}#png.abc`;
  const petId = '01a0e5b0-0000-7000-8000-000000000001';
  const ofPet = (...events: GivenEvent<PetEvent>[]) =>
    fold(...events.map((event) => ({ ...event, meta: { ...event.meta, stream: `pet-${petId}` } })))?.body;

  it('are its links, and then its images (contract 37.4)', () =>
    expect(ofPet(listed(everything), added(one), added(other))).toMatchObject({
      photos: ['https://example.org/rex.jpg', reference(one), reference(other)],
      updatedAt: '2026-01-02T03:04:02.000Z',
    }));
  it('have the same place whether a pet had photos before or not', () => {
    const [, event] = recorded([listed(), added(one)] as GivenEvent<PetEvent>[], 'pet-1');
    if (!event) throw new Error('there is no event');
    const handler = handlerOf(petsProjection, event);
    const stored = JSON.parse(JSON.stringify(fold(listed()))) as Document<unknown>;
    const photographed = handler === 'ignore' ? null : handler(stored, event.data, event.meta);
    expect(JSON.stringify(photographed?.body)).toBe(json(listed(), added(one)));
  });
  it('keep the images when the details change', () =>
    expect(ofPet(listed(everything), added(one), { type: 'PetDetailsRevised', data: { details: bare }, meta: at(3) })?.photos).toEqual([
      reference(one),
    ]));
  it('lose removed images', () => {
    expect(ofPet(listed(), added(one), added(other), removed(one))?.photos).toEqual([reference(other)]);
    expect(ofPet(listed(), added(one), removed(one))).toEqual({
      ...ofPet(listed()),
      photos: undefined,
      updatedAt: '2026-01-02T03:04:03.000Z',
    });
  });
  it('of an unknown pet are ignored', () => expect(ofPet(added(one), removed(one))).toBeUndefined());
});

describe('a retired pet', () => {
  it('has no document', () => expect(fold(listed(), { type: 'PetRetired', data: { status: 'AVAILABLE' } })).toBeNull());
});

describe('the catalogue', () => {
  it('counts each pet once', () => expect(petsProjection.amount(JSON.parse(json(listed())) as never)).toBe(1));
  it('ignores events of an unknown pet', () =>
    expect(fold({ type: 'PetAdopted', data: { holder } }, { type: 'PetDetailsRevised', data: { details: bare } })).toBeNull());
});
