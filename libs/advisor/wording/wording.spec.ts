import { describe, expect, it } from '@jest/globals';
import { pet } from '../catalogue.fixtures.js';
import { expectedSlot } from '../dialogue/dialogue.js';
import { NO_PREFERENCES } from '../preferences/preferences.js';
import { SPECIES, type PetStatus } from '../../domain/pets/pet.events.js';
import { nextQuestion } from './ask.js';
import { chooseBy } from './part.js';
import { comparison, detailsOf, factsOfPets } from './details.js';
import { ageText, headline, plainText, quoted } from './pet-facts.js';

describe('a fact of a pet (contract 40.3)', () => {
  it.each([
    [0, '0 months'],
    [1, '1 month'],
    [23, '23 months'],
    [24, '2 years'],
    [37, '3 years and 1 month'],
  ])('states %s months as %s', (months, text) => expect(ageText(months)).toBe(text));

  it('is quoted if it contains more than words', () => {
    expect(plainText('Labrador Retriever')).toBe('Labrador Retriever');
    expect(plainText('Poodle; price 1.00')).toBe('"Poodle; price 1.00"');
    expect(quoted('a "b"\n\nc', 100)).toBe(`"a 'b' c"`);
    expect(quoted('word '.repeat(100), 20)).toBe('"word word word word …"');
  });

  it('is not stated if the catalogue does not state it', () => {
    const bare = pet('Bare', {
      breed: undefined,
      size: undefined,
      color: undefined,
      gender: undefined,
      goodWithKids: undefined,
      price: undefined,
      medicalInfo: {},
    });
    expect(detailsOf(bare, false).text).toBe('Bare, 3 years old, dog: available. The catalogue states no price.');
    expect(factsOfPets([bare], ['children', 'price']).text).toBe(
      'The catalogue does not say whether Bare is good with children. The catalogue states no price for Bare.',
    );
  });

  it.each<[PetStatus, string]>([
    ['PENDING', 'reserved (PENDING)'],
    ['ADOPTED', 'already adopted (ADOPTED)'],
    ['NOT_AVAILABLE', 'not offered at the moment'],
  ])('includes the status %s', (status, text) => {
    expect(detailsOf(pet('Rex', { status }), true).text).toContain(text);
    expect(factsOfPets([pet('Rex', { status })], ['price']).text).toContain(text);
    expect(comparison([pet('Rex', { status }), pet('Bella')], true).text).toContain(text);
  });

  it('names the species in the headline', () => {
    for (const species of SPECIES) expect(headline(pet('Rex', { species }))).toMatch(/^Rex, 3 years old, Beagle \(.+\)$/);
  });
});

describe('a question of the advisor', () => {
  it('asks for the first missing preference, and is recognized in every wording', () => {
    const preferences = { ...NO_PREFERENCES, settled: ['species'] as const };
    expect(nextQuestion(NO_PREFERENCES, [], chooseBy(1, 0))).toContain('kind of pet');
    expect(nextQuestion(preferences, [], chooseBy(1, 0))).toContain('children');
    expect(nextQuestion(preferences, ['children', 'budget', 'age', 'size'], chooseBy(1, 0))).toBeNull();
    for (const slot of ['species', 'children', 'budget', 'age', 'size'] as const)
      for (let seed = 0; seed < 20; seed++) {
        const settled = (['species', 'children', 'budget', 'age', 'size'] as const).filter((one) => one !== slot);
        expect(expectedSlot(`1. Rex, 3 years old.\n\n${nextQuestion({ ...NO_PREFERENCES, settled }, [], chooseBy(seed, 2))}`)).toBe(slot);
      }
  });
});

describe('the choice of a wording (contract 40.8)', () => {
  const wordings = ['a', 'b', 'c', 'd'] as const;
  const chosen = (temperature: number): number =>
    new Set(Array.from({ length: 200 }, (_, seed) => chooseBy(seed, temperature)('key', wordings))).size;

  it('widens with the temperature', () => expect([0, 1, 2, 9].map(chosen)).toEqual([1, 3, 4, 4]));
  it('depends on the seed and the key alone', () => expect(chooseBy(5, 2)('key', wordings)).toBe(chooseBy(5, 2)('key', wordings)));
});
