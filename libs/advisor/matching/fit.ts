import type { CataloguePet } from '../catalogue.js';
import type { Preferences } from '../preferences/preferences.js';
import { tokensOf } from '../reading/token.js';
import { BREED_GROUPS, breedsMeant } from '../words/breed-groups.js';
import { searchedSpelling } from '../words/preferences.js';
import { priceFit } from './money.js';

/**
 * A preference that similar pets may miss. The advisor shows similar pets if no pet meets all preferences (contract 40.3).
 * Every pet that it shows meets the preferences that `isExcluded` checks.
 */
export type Soft = 'breed' | 'size' | 'age' | 'gender' | 'color' | 'budget';

/** Returns the words of a text with a space around each, so that a search finds whole words only. */
const wordsOf = (text: string): string =>
  ` ${tokensOf(text)
    .map(({ word }) => searchedSpelling(word))
    .join(' ')} `;

/** Whether the text contains these words in their order. `words` is in lower case, with single spaces. */
export const hasWords = (text: string | undefined, words: string): boolean => text !== undefined && wordsOf(text).includes(` ${words} `);

/** Whether a pet is of a breed, or of one of the breeds that its name stands for. */
export const isOfBreed = ({ breed: stated }: CataloguePet, breed: string): boolean =>
  breedsMeant(breed).some((one) => hasWords(stated, one));

/** Returns the name of a group that has the pet's breed and one of the breeds, for example "retriever". Returns null if no group has. */
export const sharedGroup = ({ breed }: CataloguePet, breeds: readonly string[]): string | null =>
  BREED_GROUPS.find((group) => group.breeds.some((one) => breeds.includes(one)) && group.breeds.some((one) => hasWords(breed, one)))
    ?.name ?? null;

/** Whether the pet is not available, or misses a preference that even similar pets must meet. */
export const isExcluded = (pet: CataloguePet, preferences: Preferences): boolean => {
  const { species, notSpecies, children, health, refused, notBreeds, notColors } = preferences;
  const medical = pet.medicalInfo ?? {};
  return (
    pet.status !== 'AVAILABLE' ||
    refused.includes(pet.id) ||
    (species.length > 0 && !species.includes(pet.species)) ||
    notSpecies.includes(pet.species) ||
    (children === true && pet.goodWithKids !== true) ||
    (['vaccinated', 'spayedNeutered', 'microchipped', 'specialNeeds'] as const).some(
      (field) => health[field] !== undefined && medical[field] !== health[field],
    ) ||
    notBreeds.some((breed) => isOfBreed(pet, breed)) ||
    notColors.some((color) => hasWords(pet.color, color))
  );
};

/** Returns the preferences that the pet does not meet. A budget counts as met if the price cannot be compared with it. */
export const unmet = (pet: CataloguePet, { breeds, anyBreedOf, sizes, age, gender, colors, budget }: Preferences): readonly Soft[] => {
  const price = priceFit(pet, budget);
  const missed: Readonly<Record<Soft, boolean>> = {
    breed: breeds.length > 0 && !anyBreedOf.includes(pet.species) && !breeds.some((breed) => isOfBreed(pet, breed)),
    size: sizes.length > 0 && (pet.size === undefined || !sizes.includes(pet.size)),
    age: (age.min !== undefined && pet.ageMonths < age.min) || (age.max !== undefined && pet.ageMonths > age.max),
    gender: gender !== undefined && pet.gender !== gender,
    color: colors.length > 0 && !colors.some((color) => hasWords(pet.color, color)),
    budget: price === 'too much' || price === 'too little',
  };
  return (Object.keys(missed) as Soft[]).filter((soft) => missed[soft]);
};
