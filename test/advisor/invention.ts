import type { CataloguePet } from '../../libs/advisor/catalogue.js';
import type { ChatMessage, Advice } from '../../libs/advisor/question.js';
import { ageText, headline, nameText, priceText } from '../../libs/advisor/wording/pet-facts.js';

const FLATTERY =
  /\b(great|good|excellent|wonderful|perfect|fantastic|wise|lovely) (choice|question|taste|idea)|\b(amazing|adorable|awesome|you are right|absolutely|of course|happy to|glad to|delighted)\b/i;
/** Amounts of the customer's budget. */
const BUDGET = /price (?:up to |from )(?:\d+\.\d{2}(?: to )?)+ [A-Z]{3}/g;
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
    ...[...plain.replaceAll(BUDGET, '').matchAll(/\d+(?:[.,]\d+)? (?:USD|EUR|GBP|CHF|dollars|euros)/g)].flatMap(([price]) =>
      prices.has(price) ? [] : [`price ${price}`],
    ),
    ...quotationFaults(text, pets),
    ...agesIn(text.replaceAll(/: "[^"]*"/g, ''), pets),
    ...text.split('\n').flatMap((line) => lineFaults(line, stated)),
    ...ids.flatMap((id) => (pets.some((pet) => pet.id === id) ? [] : [`id ${id}`])),
    ...stated.flatMap((pet) => (text.includes(nameText(pet)) ? [] : [`${pet.name} is not in the text`])),
    ...stated.flatMap((pet) =>
      pet.status === 'AVAILABLE' || spoken.includes(pet.name.toLowerCase()) ? [] : [`${pet.name} is ${pet.status}`],
    ),
    ...(FLATTERY.exec(plain) ?? []).slice(0, 1).map((words) => `flattery: ${words}`),
    ...(text.length > LONGEST_ANSWER || text.trim() === '' ? [`${text.length} characters`] : []),
    ...(/undefined|null|NaN|\[object/.exec(plain) ?? []),
  ];
  return faults;
};

/** Returns each stated age that no pet has. Ignores the headlines of pets, such as "Luna, 2 years old, Beagle (dog)". */
const agesIn = (text: string, pets: readonly CataloguePet[]): readonly string[] => {
  const rest = pets.reduce((left, pet) => left.replaceAll(headline(pet), ''), text);
  const ages = new Set(pets.map(({ ageMonths }) => ageText(ageMonths)));
  return [...rest.matchAll(/(\d+ (?:years?|months?)(?: and \d+ months?)?) old/g)].flatMap(([, age]) =>
    ages.has(age) ? [] : [`age ${age}`],
  );
};

/** Checks a numbered line: it must have the headline of a stated pet, and a price in it must be the price of that pet. */
const lineFaults = (line: string, stated: readonly CataloguePet[]): readonly string[] => {
  if (!/^\d+\. /.test(line)) return [];
  const pet = stated.find((one) => line.includes(headline(one)));
  if (!pet) return [`line ${line}`];
  const [, price] = /Price ([\d.]+(?: [A-Z]{3})?)\./.exec(line.replaceAll(QUOTATION, '')) ?? [];
  return price === undefined || price === priceText(pet) ? [] : [`price of ${pet.name}: ${price}`];
};
