import { SPECIES } from '../../domain/pets/pet.events.js';
import type { Catalogue, CatalogueCriteria, CataloguePet } from '../catalogue.js';
import type { Preferences } from '../preferences/preferences.js';
import { isExcluded, unmet, type Soft } from './fit.js';
import { byPrice, DEFAULT_CURRENCY, mainCurrency, priceFit } from './money.js';
import { minorUnits } from '../../domain/money.js';

/**
 * The maximum number of pets that a search reads (contract 40.9). Criteria that the catalogue cannot apply are applied to
 * these pets only.
 */
export const MOST_PETS = 100;

export type NearMatch = { readonly pet: CataloguePet; readonly unmet: readonly Soft[] };

export type Matches = {
  /** Pets that meet all preferences, in the order in which the answer shows them. */
  readonly fits: readonly CataloguePet[];
  /** Pets whose price cannot be compared: it is in another currency, or not stated. They meet all other preferences. */
  readonly uncompared: readonly CataloguePet[];
  /** Similar pets, the most similar ones first. Empty if `fits` or `uncompared` has a pet. */
  readonly near: readonly NearMatch[];
  /** The number of pets that match the query to the catalogue. The query lacks some preferences, for example the breed. */
  readonly total: number;
  /** The number of those pets that the search read. */
  readonly seen: number;
};

/** Searches the catalogue for pets that meet the preferences. If no pet meets them, searches for similar pets. */
export const searchPets = async (catalogue: Catalogue, preferences: Preferences): Promise<Matches> => {
  const { pets, total } = await catalogue.available(criteriaOf(preferences), MOST_PETS);
  const meeting = pets.filter((pet) => !isExcluded(pet, preferences) && unmet(pet, preferences).length === 0);
  const compared = meeting.filter(isComparedBy(preferences, mainCurrency(meeting)));
  const uncompared = meeting.filter((pet) => !compared.includes(pet));
  const fits = inOrder(compared, preferences);
  const near = meeting.length > 0 ? [] : await similarPets(catalogue, preferences);
  return { fits, uncompared: inOrder(uncompared, preferences), near, total, seen: pets.length };
};

const isPriceOrder = ({ order }: Preferences): boolean => order === 'cheapest' || order === 'dearest';

/**
 * Whether the price of a pet can be compared with the budget. For an order by price, the price must also be in the currency of
 * the budget, or in `currency` if the budget names none.
 */
const isComparedBy =
  (preferences: Preferences, currency: string) =>
  (pet: CataloguePet): boolean =>
    priceFit(pet, preferences.budget) === 'fits' &&
    (!isPriceOrder(preferences) ||
      (pet.price !== undefined && (pet.currency ?? DEFAULT_CURRENCY) === (preferences.budget.currency ?? currency)));

const similarPets = async (catalogue: Catalogue, preferences: Preferences): Promise<readonly NearMatch[]> => {
  // This query has no size and no age, because a similar pet may have another size or age.
  const { sizes: _sizes, age: _age, ...firm } = preferences;
  const { pets } = await catalogue.available(criteriaOf({ ...firm, sizes: [], age: {} }), MOST_PETS);
  const allowed = inOrder(
    pets.filter((pet) => !isExcluded(pet, preferences)),
    preferences,
  );
  return allowed
    .map((pet) => ({ pet, unmet: unmet(pet, preferences), distance: distanceOf(pet, preferences) }))
    .sort((one, other) => one.distance - other.distance);
};

/** Returns how much a pet differs from the preferences. Each unmet preference counts 1, plus its excess. */
const distanceOf = (pet: CataloguePet, preferences: Preferences): number =>
  unmet(pet, preferences).reduce((sum, soft) => sum + 1 + excess(pet, preferences, soft), 0);

/** The limit of an excess, so that one extreme price does not outweigh many other unmet preferences. */
const MOST_EXCESS = 3;

/** Returns how much an age or a price differs. A difference of two years, or of half of the budget's limit, counts 1. */
const excess = ({ ageMonths, price }: CataloguePet, { age: { min = 0, max = Infinity }, budget }: Preferences, soft: Soft): number => {
  if (soft === 'age') return Math.min(MOST_EXCESS, Math.max(min - ageMonths, ageMonths - max) / 24);
  if (soft !== 'budget') return 0;
  const [amount, limit] = [price, budget.max ?? budget.min].map((text) => Number(minorUnits(text ?? '0.00')));
  return Math.min(MOST_EXCESS, (2 * Math.abs(amount - limit)) / Math.max(limit, 1));
};

const criteriaOf = ({ species, notSpecies, sizes, age, children, health, order, budget }: Preferences): CatalogueCriteria => {
  // The catalogue has no criterion for microchips (contract 12.11).
  const { microchipped: _, ...medical } = health;
  const wanted = species.length > 0 ? species : notSpecies.length > 0 ? SPECIES.filter((one) => !notSpecies.includes(one)) : [];
  const range = { ...(age.min !== undefined && { min: age.min }), ...(age.max !== undefined && { max: age.max }) };
  const sort = sortOf(order, budget.max !== undefined);
  return {
    ...(wanted.length > 0 && { species: wanted }),
    ...(sizes.length > 0 && { size: sizes }),
    ...(Object.keys(range).length > 0 && { ageRange: range }),
    ...(children === true && { compatibility: { goodWithKids: true } }),
    ...(Object.keys(medical).length > 0 && { medical }),
    ...(sort && { sort }),
  };
};

/**
 * Returns the order that the customer wants. If the customer wants none but has a maximum price, the cheapest pets come first.
 * Otherwise, the MOST_PETS pets that are read could all be too expensive.
 */
const sortOf = (order: Preferences['order'], hasBudget: boolean): CatalogueCriteria['sort'] => {
  if (order === 'youngest') return { field: 'ageMonths', order: 'ASC' };
  if (order === 'oldest') return { field: 'ageMonths', order: 'DESC' };
  if (order === 'dearest') return { field: 'price', order: 'DESC' };
  return order === 'cheapest' || hasBudget ? { field: 'price', order: 'ASC' } : undefined;
};

/**
 * Sorts pets in the order that the customer wants. If the customer wants no order but has a maximum price, the pets keep the
 * order of the catalogue, which is by price. Without an order and a maximum price, the species take turns (contract 40.3).
 */
const inOrder = (pets: readonly CataloguePet[], { order, budget }: Preferences): readonly CataloguePet[] => {
  if (order === 'cheapest') return pets.toSorted(byPrice);
  if (order === 'dearest') return pets.toSorted((one, other) => byPrice(other, one));
  if (order === 'youngest') return pets.toSorted((one, other) => one.ageMonths - other.ageMonths);
  if (order === 'oldest') return pets.toSorted((one, other) => other.ageMonths - one.ageMonths);
  return budget.max === undefined ? alternating(pets) : pets;
};

/** Takes the species in turn, so that a customer who accepts several species sees a pet of each. */
const alternating = (pets: readonly CataloguePet[]): readonly CataloguePet[] => {
  const groups = [...Map.groupBy(pets, ({ species }) => species).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) => groups.flatMap((group) => group.slice(nth, nth + 1))).flat();
};
