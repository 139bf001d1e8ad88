import type { CataloguePet } from '../catalogue.js';
import { isOfBreed, sharedGroup, type Soft } from '../matching/fit.js';
import { properNouns } from '../kinds/kind.js';
import { DEFAULT_CURRENCY } from '../matching/money.js';
import type { Preferences } from '../preferences/preferences.js';
import type { Unrecorded } from '../words/concept.js';
import { ageText, dateText, plainText, priceText, SIZE_WORDS, SPECIES_WORDS } from './pet-facts.js';

const listed = (words: readonly string[], joint: 'or' | 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;

export const joined = (words: readonly string[], joint: 'or' | 'and' = 'and'): string => listed(words, joint);

const budgetText = ({ budget: { min, max, currency = DEFAULT_CURRENCY } }: Preferences): string | null => {
  if (min !== undefined && max !== undefined) return `price from ${min} to ${max} ${currency}`;
  if (max !== undefined) return `price up to ${max} ${currency}`;
  return min !== undefined ? `price from ${min} ${currency}` : null;
};

const ageRangeText = ({ age: { min, max } }: Preferences): string | null => {
  if (min !== undefined && max !== undefined) return `age from ${ageText(min)} to ${ageText(max)}`;
  if (max !== undefined) return `age up to ${ageText(max)}`;
  return min !== undefined ? `age from ${ageText(min)}` : null;
};

/** The name of a breed in a sentence, with the capitals of proper nouns: "Jack Russell terrier". */
export const breedText = (breed: string): string => properNouns(breed);

/** Names the criteria of a search: "dogs, small, price up to 300.00 USD". */
export const criteriaText = (preferences: Preferences): string => {
  const { species, notSpecies, breeds, notBreeds, sizes, gender, colors, notColors, children, health } = preferences;
  const many = (all: Preferences['species']): readonly string[] => all.map((one) => SPECIES_WORDS[one][1]);
  const medical = [health.vaccinated && 'vaccinated', health.spayedNeutered && 'spayed or neutered', health.microchipped && 'microchipped'];
  return [
    species.length > 0 && joined(many(species), 'or'),
    notSpecies.length > 0 && `no ${joined(many(notSpecies), 'or')}`,
    breeds.length > 0 && `kind ${joined(breeds, 'or')}`,
    notBreeds.length > 0 && `no ${joined(notBreeds, 'or')}`,
    sizes.length > 0 &&
      joined(
        sizes.map((size) => SIZE_WORDS[size]),
        'or',
      ),
    ageRangeText(preferences),
    gender && gender.toLowerCase(),
    colors.length > 0 && joined(colors, 'or'),
    notColors.length > 0 && `not ${joined(notColors, 'or')}`,
    children === true && 'good with children',
    ...medical,
    health.specialNeeds !== undefined && (health.specialNeeds ? 'with special needs' : 'no special needs'),
    budgetText(preferences),
  ]
    .filter(Boolean)
    .join(', ');
};

/** Returns why a pet meets the preferences, from the facts of the catalogue alone. Preferences in `missed` are left out. */
export const reasonsFor = (pet: CataloguePet, preferences: Preferences, missed: readonly Soft[] = []): readonly string[] => {
  const { breeds, sizes, age, gender, colors, children, health, budget, order } = preferences;
  const medical = pet.medicalInfo ?? {};
  const hasBudget =
    (budget.min ?? budget.max) !== undefined && (pet.currency ?? DEFAULT_CURRENCY) === (budget.currency ?? DEFAULT_CURRENCY);
  return [
    breeds.some((breed) => isOfBreed(pet, breed)) && !missed.includes('breed') && 'the kind matches',
    sizes.length > 0 && !missed.includes('size') && pet.size && `it is ${SIZE_WORDS[pet.size]}`,
    (order === 'smallest' || order === 'largest') && sizes.length === 0 && pet.size && `it is ${SIZE_WORDS[pet.size]}`,
    (order === 'newest' || order === 'longest') && pet.createdAt && `it has been in the catalogue since ${dateText(pet.createdAt)}`,
    (age.min ?? age.max) !== undefined && !missed.includes('age') && 'the age matches',
    gender && !missed.includes('gender') && pet.gender && `it is ${pet.gender.toLowerCase()}`,
    colors.length > 0 && !missed.includes('color') && pet.color && `the colour is ${plainText(pet.color)}`,
    children === true && pet.goodWithKids === true && 'it is good with children',
    health.vaccinated && medical.vaccinated && 'it is vaccinated',
    health.spayedNeutered && medical.spayedNeutered && 'it is spayed or neutered',
    health.microchipped && medical.microchipped && 'it is microchipped',
    health.specialNeeds === false && medical.specialNeeds === false && 'it has no special needs',
    health.specialNeeds === true && medical.specialNeeds === true && 'it has special needs',
    hasBudget && pet.price !== undefined && !missed.includes('budget') && 'the price is within your budget',
  ].filter((reason): reason is string => typeof reason === 'string');
};

/** Says how a pet differs from the preferences that it misses. */
export const differenceText = (pet: CataloguePet, missed: readonly Soft[], { breeds }: Preferences): string => {
  const group = sharedGroup(pet, breeds);
  return joined(
    missed.map((soft) => {
      switch (soft) {
        case 'breed':
          return pet.breed ? `another kind${group === null ? '' : ` of ${group}`}` : 'no breed stated';
        case 'size':
          return pet.size ? `${SIZE_WORDS[pet.size]} size` : 'no size stated';
        case 'age':
          return `${ageText(pet.ageMonths)} old`;
        case 'gender':
          return pet.gender ? pet.gender.toLowerCase() : 'no gender stated';
        case 'color':
          return pet.color ? `colour ${plainText(pet.color)}` : 'no colour stated';
        case 'budget':
          return `price ${priceText(pet)}`;
      }
    }),
  );
};

const TRAITS: Readonly<Record<Unrecorded, string>> = {
  temperament: 'temperament',
  energy: 'energy',
  noise: 'noise',
  speech: 'speech or song',
  coat: 'coat or allergies',
  looks: 'looks other than breed, size and colour',
  weight: 'weight',
  home: 'the home that a pet needs',
  training: 'training',
  company: 'life with other animals',
  solitude: 'time alone',
  care: 'the care that a pet needs',
  behaviour: 'such behaviour',
  kinship: 'siblings or pets that belong together',
};

/** Says that no field of the catalogue states these traits. Returns null if there are no traits. */
export const unrecordedText = (traits: readonly Unrecorded[]): string | null =>
  traits.length === 0
    ? null
    : `The catalogue has no field for ${joined(
        traits.map((trait) => TRAITS[trait]),
        'or',
      )}, so I cannot promise that. Please ask the staff.`;
