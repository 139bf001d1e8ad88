import { isAnimal } from '../dialogue/own-animal.js';
import type { Sentence } from '../reading/sentence.js';

/** The maximum number of corrections that split a sentence into parts. If it has more, only the last ones split it. */
const MOST_CORRECTIONS = 3;

/** "A ragdoll, if not, any cat" and "if you don't have a ragdoll, any cat" both have a second choice. */
export const choicesOf = (sentence: Sentence): { readonly main: Sentence; readonly fallback: Sentence | null } => {
  const { items } = sentence;
  const at = items.findIndex(({ concept }) => concept?.kind === 'fallback');
  if (at < 0) return { main: sentence, fallback: null };
  const part = (from: number, to?: number): Sentence => ({ ...sentence, items: items.slice(from, to) });
  const comma = items.findIndex(({ text }, nth) => nth > at && text === ',');
  const isMainAfter =
    items.slice(at + 1, at + 4).some(({ concept }) => isAnimal(concept)) &&
    comma > 0 &&
    !items.slice(0, at).some(({ concept }) => isAnimal(concept));
  return isMainAfter ? { main: part(at + 1, comma), fallback: part(comma + 1) } : { main: part(0, at), fallback: part(at + 1) };
};

export const partsOf = (sentence: Sentence): readonly Sentence[] => {
  const starts = sentence.items.flatMap(({ concept }, at) => (concept?.kind === 'correction' ? [at] : [])).slice(-MOST_CORRECTIONS);
  const ends = [...starts, sentence.items.length];
  return [0, ...starts].map((from, nth) => ({ ...sentence, items: sentence.items.slice(from, ends[nth]) }));
};
