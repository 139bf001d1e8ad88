import type { CataloguePet } from '../catalogue.js';

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

/** Chooses one of the wordings of a text. `key` identifies the text, so that different texts get independent choices. */
export type Choose = (key: string, wordings: readonly [string, ...(readonly string[])]) => string;

/** The temperature at which every wording can be chosen. */
const WIDEST = 2;

/**
 * Returns a function that always makes the same choice for the same arguments. At temperature 0 it chooses the first wording;
 * at 2 it can choose any of them.
 */
export const chooseBy = (seed: number, temperature: number): Choose => {
  const share = Math.min(Math.max(temperature, 0), WIDEST) / WIDEST;
  return (key, wordings) => {
    const allowed = 1 + Math.round(share * (wordings.length - 1));
    return wordings[hash(key, seed) % allowed] ?? wordings[0];
  };
};

/** FNV-1a, followed by a step that mixes the bits further. */
const hash = (key: string, seed: number): number => {
  let mixed = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < key.length; at++) mixed = Math.imul(mixed ^ key.charCodeAt(at), 0x01000193) >>> 0;
  mixed ^= mixed >>> 15;
  return Math.imul(mixed, 0x2c1b3c6d) >>> 0;
};
