import type { CataloguePet } from '../catalogue.js';
import type { Matches } from '../matching/search.js';
import { DEFAULT_CURRENCY } from '../matching/money.js';
import { NO_PREFERENCES, type Preferences } from '../preferences/preferences.js';
import { criteriaText, differenceText, joined, reasonsFor } from './criteria.js';
import { capitalised } from '../reading/token.js';
import { answersWish } from '../suiting/descriptions.js';
import { careFacts, detailFacts, headline, priceText, quoted, SPECIES_WORDS } from './pet-facts.js';
import type { Part, Style } from './part.js';

/** The maximum number of characters of a description that is quoted as a reason. */
const LONGEST_REASON = 120;

const sentence = (text: string): string => `${capitalised(text)}.`;

/** Returns a line such as "1. Luna, 2 years old, Beagle (dog). Female, medium, brindle. Price 350.00 USD. Why: …" */
const petLine = (pet: CataloguePet, nth: number, why: string | null, { isShort }: Style): string => {
  const price = priceText(pet);
  const facts = isShort ? [] : [...detailFacts(pet), ...(careFacts(pet).length > 0 ? [joined(careFacts(pet))] : [])];
  return [
    `${nth}. ${headline(pet)}.`,
    ...facts.map(sentence),
    price === null ? 'The catalogue states no price.' : `Price ${price}.`,
    ...(why ? [why] : []),
  ].join(' ');
};

/** Returns a numbered line for each pet. The numbers begin with `from`. */
export const lines = (pets: readonly CataloguePet[], from: number, style: Style, why: (pet: CataloguePet) => string | null): string =>
  pets.map((pet, nth) => petLine(pet, from + nth, why(pet), style)).join('\n');

/** Says why a pet meets the preferences. Returns null if there is nothing to say. */
export const whyText = (pet: CataloguePet, preferences: Preferences): string | null => {
  const reasons = reasonsFor(pet, preferences);
  const why = reasons.length === 0 ? [] : [`Why: ${joined(reasons)}.`];
  const { description } = pet;
  const quotation =
    description !== undefined && answersWish(description, preferences.wishes)
      ? [`The description says: ${quoted(description, LONGEST_REASON)}`]
      : [];
  return why.length + quotation.length === 0 ? null : [...why, ...quotation].join(' ');
};

/** Presents the pets that a search found, or says that there are none. */
export const recommendation = (matches: Matches, preferences: Preferences, style: Style): Part => {
  const { fits, uncompared } = matches;
  if (fits.length + uncompared.length === 0) return alternatives(matches, preferences, style);
  const shown = fits.slice(0, style.limit);
  const others = uncompared.slice(0, Math.max(0, style.limit - shown.length));
  const why = (pet: CataloguePet): string | null => whyText(pet, preferences);
  const texts = [
    shown.length > 0 && `${introduction(matches, preferences, style)}\n${lines(shown, 1, style, why)}`,
    others.length > 0 && `${uncomparedText(shown.length > 0, preferences, others)}\n${lines(others, shown.length + 1, style, why)}`,
  ];
  return { text: texts.filter(Boolean).join('\n\n'), pets: [...shown, ...others] };
};

const introduction = ({ fits }: Matches, preferences: Preferences, { choose, limit }: Style): string => {
  const criteria = criteriaText(preferences);
  const count =
    fits.length === 1
      ? 'One available pet'
      : fits.length <= limit
        ? `${fits.length} available pets`
        : `The first ${limit} of the available pets`;
  const verb = fits.length === 1 ? 'meets' : 'meet';
  if (criteria === '')
    return choose('introduction', [
      'These pets are available now:',
      'Available at the moment:',
      'The catalogue shows these available pets:',
    ]);
  return choose('introduction', [
    `${count} that ${verb} your criteria (${criteria}):`,
    `For your criteria (${criteria}) the catalogue shows:`,
    `Available now for ${criteria}:`,
  ]);
};

const uncomparedText = (isMore: boolean, preferences: Preferences, pets: readonly CataloguePet[]): string => {
  const { budget } = preferences;
  const currencies = [...new Set(pets.map(({ price, currency = DEFAULT_CURRENCY }) => (price === undefined ? undefined : currency)))];
  if (!isMore && preferences.order === undefined && budget.max !== undefined && currencies.every((one) => one !== undefined))
    return (
      `Your budget (${criteriaText({ ...NO_PREFERENCES, budget })}) is in another currency than these prices (${joined(currencies)}), so I cannot compare them. ` +
      `These pets meet everything else (${criteriaText({ ...preferences, budget: {} })}):`
    );
  const others = isMore
    ? 'More pets meet the other criteria.'
    : `No available pet meets all of this: ${criteriaText(preferences)}. These meet everything but the price.`;
  return `${others} I cannot compare their price, because it has another currency or is not stated:`;
};

const alternatives = ({ near }: Matches, preferences: Preferences, style: Style): Part => {
  const criteria = criteriaText(preferences);
  const other = preferences.refused.length > 0 ? 'other ' : '';
  const none = criteria === '' ? `No ${other}pet is available at the moment.` : `No ${other}available pet meets all of this: ${criteria}.`;
  const shown = near.slice(0, Math.min(2, style.limit));
  if (shown.length === 0) return { text: none, pets: [] };
  const why = (pet: CataloguePet): string => {
    const missed = near.find((one) => one.pet === pet)?.unmet ?? [];
    return `Different from your criteria: ${differenceText(pet, missed, preferences)}.`;
  };
  return {
    text: `${none} ${style.choose('near', ['The closest are:', 'These come closest:'])}\n${lines(
      shown.map(({ pet }) => pet),
      1,
      style,
      why,
    )}`,
    pets: shown.map(({ pet }) => pet),
  };
};

/** Says how many pets meet the criteria. */
export const countText = ({ count }: Matches, preferences: Preferences): string => {
  const criteria = criteriaText(preferences);
  return `Available pets${criteria === '' ? '' : ` for ${criteria}`}: ${count}.`;
};

/** Says that the catalogue has no species for the animals that the customer named. `hasNearest`: a list of the closest follows. */
export const noSuchAnimal = ({ otherAnimals }: Preferences, hasNearest: boolean): string =>
  `The catalogue has no ${joined(otherAnimals, 'or')}. ${hasNearest ? 'These come closest.' : `Its species are ${joined(Object.values(SPECIES_WORDS).map(([, many]) => many))}.`}`;

/** Says that the customer named a breed that the advisor does not know, and what the search looks for instead. */
export const unknownBreedText = (name: string, { breeds, species }: Preferences): string => {
  const [breed] = breeds;
  const instead = breed ?? (species.length > 0 ? joined(species.map((one) => SPECIES_WORDS[one][1])) : 'pets');
  return `I know no breed called ${name}, and I find none in the catalogue. I look for the nearest instead: ${instead}.`;
};
