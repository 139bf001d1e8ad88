import { describe, expect, it } from '@jest/globals';
import { closestName } from './closest-name.js';

const KNOWN = ['status', 'page', 'limit', 'species', 'ageMin', 'ageMax', 'goodWithKids'];

describe('the closest name', () => {
  it.each([
    ['speices', 'species'],
    ['Species', 'species'],
    ['specie', 'species'],
    ['limits', 'limit'],
    ['pgae', 'page'],
    ['agemin', 'ageMin'],
    ['goodWithKid', 'goodWithKids'],
  ])('of %s is %s', (name, known) => expect(closestName(name, KNOWN)).toBe(known));

  it.each(['', 'q', 'sort', 'colour', 'x'.repeat(20_000)])('of %p does not exist', (name) => expect(closestName(name, KNOWN)).toBeNull());
});
