import { describe, expect, it } from '@jest/globals';
import { tokensOf } from './token.js';

const words = (text: string): readonly string[] => tokensOf(text).map(({ word }) => word);

describe('the tokens of a text', () => {
  it.each([
    ['A 2-year-old, mid-sized dog!', ['a', '2', 'year', 'old', ',', 'mid', 'sized', 'dog', '!']],
    ['Rex’s price: $1,000.50', ['rex', 'price', ':', '$', '1,000.50']],
    ['100-300€', ['100', '-', '300', '€']],
    ["don't — Zoë", ["don't", ',', 'zoë']],
    ['50% off', ['50', '%', 'off']],
    ['🐶 \u0000 <b>', ['b']],
    ['', []],
  ])('of %j are words, numbers and marks', (text, expected) => expect(words(text)).toEqual(expected));

  it('are cut when they are long', () => expect(words('a'.repeat(100_000))).toEqual(['a'.repeat(40)]));
});
