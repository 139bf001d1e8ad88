import { describe, expect, it } from '@jest/globals';
import { countWords, sizeWords } from './size-words.js';

describe('a size in words', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1.0 KB'],
    [45_610_958, '45.6 MB'],
    [123_456_789, '123 MB'],
    [5e12, '5000 GB'],
  ])('of %d is %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words));

  it('has a noun in the right number', () =>
    expect([countWords(0, 'event'), countWords(1, 'event'), countWords(12_000, 'event')]).toEqual([
      '0 events',
      '1 event',
      '12,000 events',
    ]));
});
