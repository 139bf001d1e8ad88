import { SPECIES, type Species } from '../../domain/pets/pet.events.js';
import type { Catalogue, CatalogueCriteria, CataloguePet } from '../catalogue.js';
import type { Preferences } from '../preferences/preferences.js';
import { isExcluded, sharedGroup, unmet, type Soft } from './fit.js';
import { currencyCounts, DEFAULT_CURRENCY, mostFrequent, priceFit, type CurrencyCounts } from './money.js';
import { ORDERS } from './order.js';
import { bySuiting, isRanked, isUnsuited } from '../suiting/fitness.js';
import { minorUnits } from '../../domain/money.js';

export type NearMatch = { readonly pet: CataloguePet; readonly unmet: readonly Soft[] };

export type Matches = {
  /** Pets that meet all preferences, in the order in which the answer shows them. */
  readonly fits: readonly CataloguePet[];
  /** Pets whose price cannot be compared: it is in another currency, or not stated. They meet all other preferences. */
  readonly uncompared: readonly CataloguePet[];
  /** Similar pets, the most similar ones first. Empty if `fits` or `uncompared` has a pet. */
  readonly near: readonly NearMatch[];
  /** The number of pets that meet all preferences, but for a price that cannot be compared. A minimum unless all are counted. */
  readonly count: number;
};

/** What an answer needs of a search. */
export type Needs = {
  /** The maximum number of pets that the answer shows. */
  readonly limit: number;
  /** Whether the answer states the number of all pets. */
  readonly isCounting: boolean;
};

/** The number of pets of each species and currency that a search keeps while it reads. An answer shows far fewer. */
const MOST_KEPT = 50;

/** The number of pages that a search reads to find the pets that suit best. Further pets differ too little to be worth the time. */
const MOST_RANKED_PAGES = 4;

/** Returns the pets without those that follow MOST_KEPT pets of the same species and currency. */
const kept = (pets: readonly CataloguePet[]): readonly CataloguePet[] => {
  const counts = new Map<string, number>();
  return pets.filter(({ species, currency }) => {
    const count = (counts.get(`${species} ${currency}`) ?? 0) + 1;
    counts.set(`${species} ${currency}`, count);
    return count <= MOST_KEPT;
  });
};

/**
 * Searches the whole catalogue for pets that meet the preferences (contract 40.9). If no pet meets them, searches for similar
 * pets. Stops reading once no further pet can change the answer.
 */
export const searchPets = async (catalogue: Catalogue, preferences: Preferences, needs: Needs): Promise<Matches> => {
  let read = 0;
  let [meeting, count, currencies]: readonly [readonly CataloguePet[], number, CurrencyCounts] = [[], 0, currencyCounts([])];
  const criteria = criteriaOf(preferences);
  const total = needs.isCounting && isCountable(preferences) ? (await catalogue.available(criteria, 1)).total : null;
  const isCounting = needs.isCounting && total === null;
  for await (const pets of pagesOf(catalogue, criteria)) {
    const found = pets.filter((pet) => !isExcluded(pet, preferences) && unmet(pet, preferences).length === 0);
    currencies = currencyCounts(found, currencies);
    count += found.length;
    meeting = kept(isRanked(preferences) ? bySuiting([...meeting, ...found], preferences, false) : [...meeting, ...found]);
    read += 1;
    if (!isCounting && (isEnough(meeting, preferences, needs) || (isRanked(preferences) && read >= MOST_RANKED_PAGES))) break;
  }
  const suited = meeting.filter((pet) => !isUnsuited(pet, preferences));
  const offered = suited.length > 0 ? suited : meeting;
  const compared = offered.filter(isComparedBy(preferences, mostFrequent(currencies)));
  const uncompared = offered.filter((pet) => !compared.includes(pet));
  const near = count > 0 ? [] : await similarPets(catalogue, preferences);
  return { fits: inOrder(compared, preferences), uncompared: inOrder(uncompared, preferences), near, count: total ?? count };
};

/** Whether the catalogue itself can count the pets, because its criteria are all that the customer wants. */
const isCountable = ({ breeds, notBreeds, colors, notColors, gender, budget, refused, health }: Preferences): boolean =>
  [breeds, notBreeds, colors, notColors, refused].every(({ length }) => length === 0) &&
  [gender, budget.min, budget.max, health.microchipped].every((one) => one === undefined);

/** Whether no further pet can change which pets the answer shows first. */
const isEnough = (meeting: readonly CataloguePet[], preferences: Preferences, { limit }: Needs): boolean => {
  const { species, notSpecies, order, budget, age } = preferences;
  if (isRanked(preferences)) return false;
  // Without a currency of the customer, all prices decide which currency is compared.
  if (isPriceOrder(preferences) && budget.currency === undefined) return false;
  if (order ? !ORDERS[order].sort : age.near !== undefined) return false;
  const fits = meeting.filter(isComparedBy(preferences, DEFAULT_CURRENCY));
  if (fits.length <= limit) return false;
  if (order ?? budget.max) return true; // The catalogue returns them in the order of the answer.
  const groups = [...Map.groupBy(fits, (pet) => pet.species).values()];
  const possible = species.length > 0 ? species.length : SPECIES.length - notSpecies.length;
  return groups.length >= limit || (groups.length === possible && groups.every(({ length }) => length > limit));
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
  const similarity = (one: CataloguePet, other: CataloguePet): number => distanceOf(one, preferences) - distanceOf(other, preferences);
  let allowed: readonly CataloguePet[] = [];
  for await (const pets of pagesOf(catalogue, criteriaOf({ ...firm, sizes: [], age: {} }))) {
    const all = [...allowed, ...pets.filter((pet) => !isExcluded(pet, preferences))];
    const similar = new Set(kept(all.toSorted(similarity)));
    allowed = all.filter((pet) => similar.has(pet));
  }
  const suited = allowed.filter((pet) => !isUnsuited(pet, preferences));
  return inOrder(suited.length > 0 ? suited : allowed, preferences)
    .toSorted(similarity)
    .map((pet) => ({ pet, unmet: unmet(pet, preferences) }));
};

/** Returns how much a pet differs from the preferences. Each unmet preference counts 1, plus its excess. */
const distanceOf = (pet: CataloguePet, preferences: Preferences): number =>
  unmet(pet, preferences).reduce((sum, soft) => sum + 1 + excess(pet, preferences, soft), 0);

/** The limit of an excess, so that one extreme price does not outweigh many other unmet preferences. */
const MOST_EXCESS = 3;

/**
 * Returns how much an age or a price differs. A difference of two years, or of half of the budget's limit, counts 1. A breed of the
 * same group differs less than another breed.
 */
const excess = (pet: CataloguePet, { age: { min = 0, max = Infinity }, budget, breeds }: Preferences, soft: Soft): number => {
  const { ageMonths, price } = pet;
  // Who names a breed would rather pay more for it than get another one.
  if (soft === 'breed') return sharedGroup(pet, breeds) === null ? 0.6 : -0.5;
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
 * Returns the order that the customer wants, if the catalogue can sort by it. If the customer wants none but has a maximum price,
 * the cheapest pets come first. Otherwise, a search would have to read many pets that are too expensive.
 */
const sortOf = (order: Preferences['order'], hasBudget: boolean): CatalogueCriteria['sort'] =>
  (order && ORDERS[order].sort) ?? (hasBudget ? ORDERS.cheapest.sort : undefined);

/**
 * Sorts pets in the order that the customer wants. If the customer wants no order but has a maximum price, the pets keep the
 * order of the catalogue, which is by price. Without an order and a maximum price, the species take turns (contract 40.3).
 */
const inOrder = (pets: readonly CataloguePet[], preferences: Preferences): readonly CataloguePet[] => {
  const {
    order,
    budget,
    species,
    age: { near },
  } = preferences;
  if (isRanked(preferences)) return bySuiting(pets, preferences, species.length !== 1 || !/^(DOG|CAT|RABBIT)$/.test(species[0]));
  if (order) return pets.toSorted(ORDERS[order].compare);
  if (near !== undefined) return pets.toSorted((one, other) => Math.abs(one.ageMonths - near) - Math.abs(other.ageMonths - near));
  return budget.max === undefined ? alternating(pets) : pets;
};

/** Takes the species in turn, so that a customer who accepts several species sees a pet of each. */
const alternating = (pets: readonly CataloguePet[]): readonly CataloguePet[] => {
  const groups = [...Map.groupBy(pets, ({ species }) => species).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) => groups.flatMap((group) => group.slice(nth, nth + 1))).flat();
};

/** The number of pages that are read for the breeds of the catalogue. */
const MOST_PAGES = 4;

/** The breeds of the available pets of some species, or of all if none is given, the most frequent first. */
export const breedsIn = async (catalogue: Catalogue, species: readonly Species[]): Promise<readonly string[]> => {
  const counts = new Map<string, number>();
  let read = 0;
  for await (const pets of pagesOf(catalogue, species.length > 0 ? { species } : {})) {
    for (const { breed } of pets) if (breed !== undefined) counts.set(breed, (counts.get(breed) ?? 0) + 1);
    read += 1;
    if (read >= MOST_PAGES) break;
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([breed]) => breed);
};

/** The number of pets that one read of the catalogue returns. */
export const PAGE = 500;

/**
 * Reads all pets that meet the criteria, in the catalogue's order (contract 40.9). A reader that has found enough stops early.
 * If the catalogue changes meanwhile, a pet can move to a later page. Such a pet is returned once.
 */
export async function* pagesOf(catalogue: Catalogue, criteria: CatalogueCriteria): AsyncGenerator<readonly CataloguePet[]> {
  const read = new Set<string>();
  for (let page = 1; ; page++) {
    const { pets } = await catalogue.available(criteria, PAGE, page);
    yield pets.filter(({ id }) => !read.has(id));
    if (pets.length < PAGE) return;
    for (const { id } of pets) read.add(id);
  }
}
