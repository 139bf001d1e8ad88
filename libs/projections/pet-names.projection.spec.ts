import { describe, expect, it } from '@jest/globals';
import type { PetDetails, PetEvent } from '../domain/pets/pet.events.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import type { GivenEvent } from '../eventsourcing/testing/recorded.js';
import { petNamesProjection } from './pet-names.projection.js';

const rex: PetDetails = { name: 'Rex', species: 'DOG', ageMonths: 24 };
const listed = (name: string) => ({ type: 'PetListed', data: { details: { ...rex, name }, status: 'AVAILABLE' } }) as const;
const fold = (...events: GivenEvent<PetEvent>[]) => foldProjection(petNamesProjection, events);

describe('the names of pets', () => {
  it.each([
    ['Rex', 'rex'],
    ['  Old   REX ', 'old rex'],
    ['ＲＥＸ', 'rex'],
    ['Straße', 'strasse'],
  ])('contain %s as %s', (name, folded) => expect(fold(listed(name))).toMatchObject({ body: { id: '1' }, fields: { name: folded } }));

  it('change when a revision changes the name', () =>
    expect(fold(listed('Rex'), { type: 'PetDetailsRevised', data: { details: { ...rex, name: 'Max' } } })).toMatchObject({
      fields: { name: 'max' },
    }));

  it('are removed when the pet is retired', () =>
    expect(fold(listed('Rex'), { type: 'PetRetired', data: { status: 'AVAILABLE' } })).toBeNull());
});
