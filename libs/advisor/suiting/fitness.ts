import type { CataloguePet } from '../catalogue.js';
import type { Rank, Aspect } from '../kinds/aspects.js';
import { distinctKinds, kindNamed, type Kind } from '../kinds/kind.js';
import type { Preferences } from '../preferences/preferences.js';
import { ORDERS } from '../matching/order.js';
import { answersWish } from './descriptions.js';

/** What the rank of a kind counts. One aspect that does not suit outweighs several that do. */
const WEIGHTS: Readonly<Record<Rank, number>> = { 0: -6, 1: -1.5, 2: 1, 3: 2 };

const kindOfPet = ({ species, breed }: CataloguePet): Kind | null => kindNamed(species, breed);

const scoreOfKind = (kind: Kind | null, aspects: readonly Aspect[]): number =>
  kind === null ? 0 : aspects.reduce((sum, aspect) => sum + WEIGHTS[kind.rank(aspect)], 0);

/** The lowest rank of a kind for the aspects. */
export const lowestRank = (kind: Kind, aspects: readonly Aspect[]): Rank =>
  aspects.reduce<Rank>((least, aspect) => (kind.rank(aspect) < least ? kind.rank(aspect) : least), 3);

/** Circumstances for which a puppy or a kitten is harder than an adult animal. */
const NOT_YOUNG: ReadonlySet<Aspect> = new Set<Aspect>(['away', 'toddler', 'senior', 'easy', 'walks', 'tidy', 'stairs', 'quiet', 'guards']);
const NOT_LARGE: ReadonlySet<Aspect> = new Set<Aspect>(['senior', 'stairs', 'cage']);

const GUARDS = /shepherd|rottweiler|doberman|malinois|mastiff|boxer|corso|akita/i;

/** What a pet itself adds to the score of its kind: its age, size, health and description, as far as the catalogue states them. */
const scoreOfPet = (pet: CataloguePet, { aspects, wishes, health, age, sizes }: Preferences): number => {
  const { species, breed, ageMonths, size, goodWithKids, medicalInfo, description } = pet;
  const isPuppy = (species === 'DOG' || species === 'CAT') && ageMonths < 12;
  const isForChild = aspects.includes('child') || aspects.includes('toddler');
  return [
    answersWish(description, wishes) && 0.9,
    answersWish(breed, wishes) && 1,
    medicalInfo?.specialNeeds === true && health.specialNeeds !== true && -1,
    isPuppy && age.stage === undefined && age.max === undefined && aspects.some((one) => NOT_YOUNG.has(one)) && -1.5,
    size === 'LARGE' && sizes.length === 0 && aspects.some((one) => NOT_LARGE.has(one)) && -0.8,
    species === 'DOG' && ageMonths > 96 && (aspects.includes('walks') || aspects.includes('guards')) && -1.5,
    aspects.includes('guards') && (size === 'LARGE' ? 1 : -1) + (GUARDS.test(breed ?? '') ? 1.5 : 0),
    isForChild && goodWithKids === false && -3,
    isForChild && (species === 'DOG' || species === 'CAT') && ageMonths > 120 && age.min === undefined && -0.7,
  ].reduce<number>((sum, points) => sum + (points === false ? 0 : points), 0);
};

/** Whether the order of pets depends on how well they suit the customer. */
export const isRanked = ({ aspects, wishes, order, isOrderSoft }: Preferences): boolean =>
  (order === undefined || isOrderSoft) && aspects.length + wishes.length > 0;

/**
 * Whether the kind of a pet does not suit the customer at all. If the customer names the species, the answer says so instead, but
 * breeds that suit worse than their species are left out, unless the customer names a breed.
 */
export const isUnsuited = (pet: CataloguePet, { aspects, species, breeds }: Preferences): boolean => {
  const kind = kindOfPet(pet);
  if (kind === null || (species.includes(pet.species) && breeds.length > 0)) return false;
  const whole = species.includes(pet.species) ? kindNamed(pet.species, undefined) : null;
  return aspects.some((aspect) => kind.rank(aspect) === 0 && (whole === null ? !species.includes(pet.species) : whole.rank(aspect) > 0));
};

/** How far below the best pet the pets of another kind may be, to be shown beside it. */
const NEAR_BEST = 3;

/**
 * Sorts pets by how well they suit the customer, best first. Pets that suit equally well keep their order. If `inTurn`, the best pet
 * of each of the best kinds comes first, so that a customer who names no species sees several kinds.
 */
export const bySuiting = (pets: readonly CataloguePet[], preferences: Preferences, inTurn: boolean): readonly CataloguePet[] => {
  const scored = pets.map((pet) => ({ pet, score: scoreOfKind(kindOfPet(pet), preferences.aspects) + scoreOfPet(pet, preferences) }));
  const best = scored.toSorted((one, other) => other.score - one.score);
  const sorted = best.map(({ pet }) => pet);
  const near = best.filter(({ score }) => score >= best[0].score - NEAR_BEST).map(({ pet }) => pet);
  if (preferences.order) return [...new Set([...near.toSorted(ORDERS[preferences.order].compare), ...sorted])];
  if (!inTurn) return sorted;
  return [...new Set([...kindsInTurn(near), ...sorted])];
};

/** Takes the pets of each kind in turn. Breeds of dogs, and of cats, are one kind. */
const kindsInTurn = (pets: readonly CataloguePet[]): readonly CataloguePet[] => {
  const kindText = (pet: CataloguePet): string =>
    pet.species === 'DOG' || pet.species === 'CAT' ? pet.species : (kindOfPet(pet)?.name ?? pet.species);
  const groups = [...Map.groupBy(pets, kindText).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) => groups.flatMap((group) => group.slice(nth, nth + 1))).flat();
};

/** The kinds of pets, each once. */
export const kindsOf = (pets: readonly CataloguePet[]): readonly Kind[] => distinctKinds(pets.flatMap((pet) => kindOfPet(pet) ?? []));
