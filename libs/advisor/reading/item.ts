import type { Concept } from '../words/concept.js';

/** A phrase with a meaning, or a token without one. */
export type Item = {
  readonly concept: Concept | null;
  /** The words of the phrase in lower case, or the mark. */
  readonly text: string;
  readonly isNegated: boolean;
};
