import type { Gender, Size, Species } from '../../domain/pets/pet.events.js';
import type { Aspect } from '../kinds/aspects.js';
import type { HealthField, Order, Slot, Stage, Unrecorded } from '../words/concept.js';

/** `min` and `max` are inclusive, and are decimal texts with two decimals. `currency` is an ISO 4217 code. */
export type Budget = { readonly min?: string; readonly max?: string; readonly currency?: string };

/**
 * `min` and `max` are in months, both inclusive. `stage` is set if the customer named a stage instead of a number. Pets of an age
 * close to `near` come first.
 */
export type AgeRange = { readonly min?: number; readonly max?: number; readonly stage?: Stage; readonly near?: number };

/** What the customer has said about the pet, over the whole conversation. */
export type Preferences = {
  readonly species: readonly Species[];
  readonly notSpecies: readonly Species[];
  /** Breeds, and animals such as the hamster, in lower case. */
  readonly breeds: readonly string[];
  readonly notBreeds: readonly string[];
  /** Species of which the customer accepts any breed. */
  readonly anyBreedOf: readonly Species[];
  readonly sizes: readonly Size[];
  readonly age: AgeRange;
  readonly budget: Budget;
  /** Whether children will live with the pet; undefined if unknown. */
  readonly children: boolean | undefined;
  readonly gender: Gender | undefined;
  readonly colors: readonly string[];
  readonly notColors: readonly string[];
  readonly health: Readonly<Partial<Record<HealthField, boolean>>>;
  readonly order: Order | undefined;
  /** Whether pets that suit better may come before the first ones of the order. */
  readonly isOrderSoft: boolean;
  /** Animals that live with the customer. */
  readonly ownPets: readonly Species[];
  /** Traits that the customer named and that no field of the catalogue states. */
  readonly unrecorded: readonly Unrecorded[];
  /** What the pet must be like or the home is like, as far as the kind of animal decides it: time alone, a flat, noise. */
  readonly aspects: readonly Aspect[];
  /** Patterns of descriptions that the customer would like. */
  readonly wishes: readonly RegExp[];
  /** Animals that the catalogue has no species for. */
  readonly otherAnimals: readonly string[];
  /** A breed that the advisor does not know; undefined if there is none. */
  readonly unknownBreed: string | undefined;
  /** What the customer wants if no pet meets the preferences; undefined if there is no second choice. */
  readonly fallback: Preferences | undefined;
  /** Slots that the customer has said something about, or does not care about. */
  readonly settled: readonly Slot[];
  /** The ids of the pets that the customer does not want. */
  readonly refused: readonly string[];
};

/** Returns the settled slots together with these ones. */
export const settle = ({ settled }: Preferences, ...slots: readonly Slot[]): readonly Slot[] => [...new Set([...settled, ...slots])];

export const NO_PREFERENCES: Preferences = {
  species: [],
  notSpecies: [],
  breeds: [],
  notBreeds: [],
  anyBreedOf: [],
  sizes: [],
  age: {},
  budget: {},
  children: undefined,
  gender: undefined,
  colors: [],
  notColors: [],
  health: {},
  order: undefined,
  isOrderSoft: false,
  ownPets: [],
  unrecorded: [],
  aspects: [],
  wishes: [],
  otherAnimals: [],
  unknownBreed: undefined,
  fallback: undefined,
  settled: [],
  refused: [],
};

/** The ages of the stages in months. A puppy or kitten is less than a year old, and a senior at least seven years. */
export const STAGE_MONTHS: Readonly<Record<Stage, AgeRange>> = {
  BABY: { max: 11, stage: 'BABY' },
  YOUNG: { max: 24, stage: 'YOUNG' },
  ADULT: { min: 12, max: 95, stage: 'ADULT' },
  SENIOR: { min: 84, stage: 'SENIOR' },
};
/**
 * The ages that remain when a customer excludes a stage. For ADULT, every age remains: the younger and the older ages would
 * be two ranges, but preferences have only one.
 */
export const WITHOUT_STAGE: Readonly<Record<Stage, AgeRange>> = { BABY: { min: 12 }, YOUNG: { min: 25 }, ADULT: {}, SENIOR: { max: 83 } };
