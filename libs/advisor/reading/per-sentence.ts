import type { Sentence } from './sentence.js';

/** Returns the same function, which reads each sentence only once. Many rules ask the same about a sentence (contract 40.9). */
export const perSentence = <T>(read: (sentence: Sentence) => T): ((sentence: Sentence) => T) => {
  const known = new WeakMap<Sentence, { readonly result: T }>();
  return (sentence) => {
    const before = known.get(sentence);
    if (before) return before.result;
    const result = read(sentence);
    known.set(sentence, { result });
    return result;
  };
};
