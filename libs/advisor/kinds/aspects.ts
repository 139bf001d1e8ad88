import type { Species } from '../../domain/pets/pet.events.js';
import { HOME_ASPECTS } from './home-aspects.js';
import { TRAIT_ASPECTS } from './trait-aspects.js';

/** What people ask of a pet, and what animals of each rank are like. */
export const ASPECTS = { ...HOME_ASPECTS, ...TRAIT_ASPECTS };

export type Aspect = keyof typeof ASPECTS;

/** What the guide says about a kind of animal. A sentence for an aspect replaces the usual sentence of its rank. */
export type KindText = {
  readonly many: string;
  readonly species: Species;
  /** The usual lifespan, for example "8 to 12". */
  readonly years: string;
  readonly summary: string;
  /** Words of a breed that is of this kind, separated by commas. Without them, the name of the kind. */
  readonly words?: string;
} & Readonly<Partial<Record<Aspect, string>>>;
