import { HOME_ASPECTS } from './home-aspects.js';
import { TRAIT_ASPECTS } from './trait-aspects.js';

/** What people ask of a pet, and what animals of each rank are like. */
export const ASPECTS = { ...HOME_ASPECTS, ...TRAIT_ASPECTS };

export type Aspect = keyof typeof ASPECTS;
