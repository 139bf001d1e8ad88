import type { CataloguePet } from '../catalogue.js';
import type { Choose } from './choose.js';

/** A part of an answer, and the pets about which its text states facts. */
export type Part = { readonly text: string; readonly pets: readonly CataloguePet[] };

/** How an answer is worded, and how long it is. */
export type Style = {
  readonly choose: Choose;
  /** Whether the model is PET_ADVISOR_TURBO (contract 40.1). */
  readonly isShort: boolean;
  /** The maximum number of pets that a list shows. */
  readonly limit: number;
};

/** A part that states nothing about a pet. */
export const textPart = (text: string): Part => ({ text, pets: [] });
