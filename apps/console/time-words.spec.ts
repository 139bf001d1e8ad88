import { describe, expect, it } from '@jest/globals';
import { agoWords, lengthWords } from './time-words.js';

describe('a length of time', () => {
  it.each([
    [0, '0 s'],
    [0.4, '0 s'],
    [59.6, '1 min'],
    [125, '2 min 5 s'],
    [7_505, '2 h 5 min'],
    [86_400, '1 d'],
    [86_460, '1 d'],
    [180_000, '2 d 2 h'],
  ])('of %d s: %s', (seconds, words) => expect(lengthWords(seconds)).toBe(words));
});

describe('a time', () => {
  it('is ago, now or to come', () => {
    expect(agoWords(0, 65_000)).toBe('1 min ago');
    expect(agoWords(0, 9_999)).toBe('10 s ago');
    expect(agoWords(500, 0)).toBe('now');
    expect(agoWords(120_000, 0)).toBe('in 2 min');
  });
});
