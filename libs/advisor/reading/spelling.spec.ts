import { describe, expect, it } from '@jest/globals';
import { withSpelling } from './spelling.js';
import { tokensOf } from './token.js';

const corrected = (text: string, ...names: readonly string[]): string =>
  withSpelling(tokensOf(text), new Set(names))
    .map(({ word }) => word)
    .join(' ');

describe('a word that is mistyped in one place', () => {
  it.each([
    ['a rabit', 'a rabbit'],
    ['vacinated', 'vaccinated'],
    ['childern', 'children'],
    ['the oldset', 'the oldest'],
    ['labrodor', 'labrador'],
    ['chepest', 'cheapest'],
    ['smal', 'small'],
  ])('is corrected: %s', (text, right) => expect(corrected(text)).toBe(right));

  it.each(['my dog shakes', 'he drank it', 'pills', 'a strange smell', 'i found it', 'closed doors', 'write it', 'an apple', 'Rabit'])(
    'may be another word: %s',
    (text) => expect(corrected(text)).toBe(text.toLowerCase()),
  );

  it('may be the name of a pet', () => {
    expect(corrected('poppi', 'poppi')).toBe('poppi');
    expect(corrected('vacinated')).not.toBe(corrected('vacinated', 'vacinated'));
  });
});
