import { foldCase } from './case-folding.js';

/**
 * Returns the form in which names are compared (contract 30.2): case-folded and in the normalization form NFKC, twice, because
 * each may undo the other (the definition D146 of Unicode). So `Ann` and `ａｎｎ` are the same name. Several spaces count as one,
 * because pages show them as one.
 */
export const comparableName = (name: string): string => fold(fold(name.normalize('NFD'))).replace(/\s+/g, ' ');

const fold = (text: string): string => foldCase(text).normalize('NFKC');
