import type { Order } from '../../libs/advisor/words/concept.js';
import type { CataloguePet } from '../../libs/advisor/catalogue.js';
import type { ChatMessage, Advice } from '../../libs/advisor/question.js';
import { ORDERS } from '../../libs/advisor/matching/order.js';
import { ageText, dateText, headline, nameText, priceText } from '../../libs/advisor/wording/pet-facts.js';

const FLATTERY =
  /\b(great|good|excellent|wonderful|perfect|fantastic|wise|lovely) (choice|question|taste|idea)|\b(amazing|adorable|awesome|you are right|absolutely|of course|happy to|glad to|delighted)\b/i;
/** Amounts of the customer's budget. */
const BUDGET = /price (?:up to |from )(?:\d+\.\d{2}(?: to )?)+ [A-Z]{3}/g;
/** What several pets cost together. */
const SUM = /Together ([^\n]+?) cost (\d+\.\d{2})(?: [A-Z]{3})?\./g;
const LONGEST_ANSWER = 6_000;

const QUOTATION = /(From the guide, )?"([^"]*)"/g;
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('"', "'").trim();

/** Returns the quotations that no text of a pet contains. The titles of sections of the guide are allowed. */
const quotationFaults = (text: string, pets: readonly CataloguePet[]): readonly string[] => {
  const texts = oneLine(
    pets.flatMap(({ description, breed, color, medicalInfo }) => [description, breed, color, medicalInfo?.healthNotes]).join(' '),
  );
  return [...text.matchAll(QUOTATION)].flatMap(([, guide, words]) =>
    guide !== undefined || texts.includes(words.replace(/ …$/, '')) ? [] : [`quotation ${words}`],
  );
};

/** Returns the faults of an answer: what it states although the catalogue does not, and what no answer may contain. */
export const faultsOf = (
  { text, pets: ids }: Advice,
  pets: readonly CataloguePet[],
  messages: readonly ChatMessage[],
): readonly string[] => {
  const plain = text.replaceAll(QUOTATION, '');
  const prices = new Set(pets.map(priceText));
  const stated = pets.filter((pet) => ids.includes(pet.id));
  const spoken = messages.map(({ content }) => content.toLowerCase()).join('\n');
  const faults = [
    ...[
      ...plain
        .replaceAll(BUDGET, '')
        .replaceAll(SUM, '')
        .matchAll(/\d+(?:[.,]\d+)? (?:USD|EUR|GBP|CHF|dollars|euros)/g),
    ].flatMap(([price]) => (prices.has(price) ? [] : [`price ${price}`])),
    ...sumFaults(text, stated),
    ...quotationFaults(text, pets),
    ...agesIn(text.replaceAll(/: "[^"]*"/g, ''), pets),
    ...text.split('\n').flatMap((line) => lineFaults(line, stated)),
    ...datesIn(text, stated),
    ...superlativeFaults(text, pets, stated),
    ...ids.flatMap((id) => (pets.some((pet) => pet.id === id) ? [] : [`id ${id}`])),
    ...stated.flatMap((pet) => (text.includes(nameText(pet)) ? [] : [`${pet.name} is not in the text`])),
    ...stated.flatMap((pet) =>
      // A mistyped name names the pet, too, and the answer says which one it means (contract 40.1).
      pet.status === 'AVAILABLE' || spoken.includes(pet.name.toLowerCase()) || text.includes(`so I take it for ${nameText(pet)}.`)
        ? []
        : [`${pet.name} is ${pet.status}`],
    ),
    ...(FLATTERY.exec(plain) ?? []).slice(0, 1).map((words) => `flattery: ${words}`),
    ...(text.length > LONGEST_ANSWER || text.trim() === '' ? [`${text.length} characters`] : []),
    ...(/undefined|null|NaN|\[object/.exec(plain) ?? []),
  ];
  return faults;
};

/** Returns each sum that is not the sum of the prices of the stated pets that it names. */
const sumFaults = (text: string, stated: readonly CataloguePet[]): readonly string[] =>
  [...text.matchAll(SUM)].flatMap(([sentence, names, total]) => {
    const named = stated.filter((pet) => ` ${names.replaceAll(',', ' ')} `.includes(` ${nameText(pet)} `));
    const cents = named.reduce((sum, { price }) => sum + Math.round(Number(price) * 100), 0);
    return cents === Math.round(Number(total) * 100) ? [] : [`sum ${sentence}`];
  });

/** Returns each stated age that no pet has. Ignores the headlines of pets, such as "Luna, 2 years old, Beagle (dog)". */
const agesIn = (text: string, pets: readonly CataloguePet[]): readonly string[] => {
  const rest = pets.reduce((left, pet) => left.replaceAll(headline(pet), ''), text);
  const ages = new Set(pets.map(({ ageMonths }) => ageText(ageMonths)));
  return [...rest.matchAll(/(\d+ (?:years?|months?)(?: and \d+ months?)?) old/g)].flatMap(([, age]) =>
    ages.has(age) ? [] : [`age ${age}`],
  );
};

/** Returns each date that is not the date of arrival of a stated pet. */
const datesIn = (text: string, stated: readonly CataloguePet[]): readonly string[] => {
  const dates = new Set(stated.map(({ createdAt }) => createdAt && dateText(createdAt)));
  return [...text.matchAll(/since (\d+ [A-Z][a-z]+ \d{4})/g)].flatMap(([, date]) => (dates.has(date) ? [] : [`date ${date}`]));
};

const ORDER_OF: Readonly<Record<string, Order>> = {
  'the cheapest': 'cheapest',
  'the most expensive': 'dearest',
  'the youngest': 'youngest',
  'the oldest': 'oldest',
  'the newest': 'newest',
  'the longest resident': 'longest',
  'the smallest': 'smallest',
  'the largest': 'largest',
};

/** Checks a superlative without criteria: no available pet with a comparable price comes before a stated pet. */
const superlativeFaults = (text: string, pets: readonly CataloguePet[], stated: readonly CataloguePet[]): readonly string[] => {
  const [, words] = /(?:is|are|are among) (the [a-z ]+?) of them all\.?\n/.exec(text) ?? [];
  const order = words === undefined ? undefined : ORDER_OF[words];
  if (words !== undefined && order === undefined) return [`superlative ${words}`];
  const winners = stated.filter((pet) => text.includes(`. ${headline(pet)}.`));
  return winners.flatMap((winner) => {
    const isBefore = (pet: CataloguePet): boolean =>
      pet.status === 'AVAILABLE' && pet.currency === winner.currency && order !== undefined && ORDERS[order].compare(pet, winner) < 0;
    const before = /price|cheap|expensive/.test(words ?? '') ? pets.filter(({ price }) => price !== undefined) : pets;
    const first = before.find(isBefore);
    return first ? [`${first.name} comes before ${winner.name}: ${words}`] : [];
  });
};

/** Checks a numbered line: it must have the headline of a stated pet, and a price in it must be the price of that pet. */
const lineFaults = (line: string, stated: readonly CataloguePet[]): readonly string[] => {
  if (!/^\d+\. /.test(line)) return [];
  // Two pets can have the same headline.
  const same = stated.filter((one) => line.includes(headline(one)));
  if (same.length === 0) return [`line ${line}`];
  const [, price] = /Price ([\d.]+(?: [A-Z]{3})?)\./.exec(line.replaceAll(QUOTATION, '')) ?? [];
  return price === undefined || same.some((pet) => price === priceText(pet)) ? [] : [`price of ${same[0].name}: ${price}`];
};
