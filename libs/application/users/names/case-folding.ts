/** Letters of this script fold to upper case, because their lower case came later. */
const CHEROKEE = /\p{Script=Cherokee}/u;
/** The dotless i folds to itself, although its upper case is the I. */
const DOTLESS_I = 'ı';

/**
 * Folds one character. The lower case of its upper case is not enough: `ẞ` has no other upper case, and its lower case `ß` has
 * the upper case `SS`.
 */
const foldCharacter = (character: string): string => {
  if (character === DOTLESS_I) return character;
  if (CHEROKEE.test(character)) return character.toUpperCase();
  return character.toLowerCase().toUpperCase().toLowerCase();
};

/**
 * Returns a text with Unicode's full case folding (CaseFolding.txt, the statuses C and F). Texts that differ only in upper and
 * lower case have the same result. Folds each character apart, because the lower case of a word depends on its last letter.
 */
export const foldCase = (text: string): string => Array.from(text, foldCharacter).join('');
