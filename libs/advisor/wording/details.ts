import { minorUnits } from '../../domain/money.js';
import type { CataloguePet } from '../catalogue.js';
import type { Fact } from '../words/concept.js';
import { joined } from './criteria.js';
import { factSentence, factValue, LABELS, LONGEST_QUOTATION, NOT_STATED } from './facts.js';
import { careFacts, detailFacts, headline, nameText, priceText, quoted, STATUS_WORDS } from './pet-facts.js';
import type { Part } from './part.js';

const unavailable = (pet: CataloguePet): readonly string[] =>
  pet.status === 'AVAILABLE' ? [] : [`${nameText(pet)} is ${STATUS_WORDS[pet.status]}.`];

/** Facts that the headline of a pet states. */
const IN_HEADLINE: ReadonlySet<Fact> = new Set<Fact>(['age', 'breed']);

/** Answers a question about facts of pets. With several pets, each has a line that begins with its headline. */
export const factsOfPets = (pets: readonly CataloguePet[], facts: readonly Fact[]): Part => ({
  text: pets
    .map((pet) => {
      const notes = facts.includes('status') ? [] : unavailable(pet);
      if (pets.length === 1) return [...facts.map((fact) => factSentence(pet, fact)), ...notes].join(' ');
      return [`${headline(pet)}.`, ...facts.flatMap((fact) => (IN_HEADLINE.has(fact) ? [] : [factSentence(pet, fact)])), ...notes].join(
        ' ',
      );
    })
    .join('\n'),
  pets,
});

/** Presents one pet with everything that the catalogue states. */
export const detailsOf = (pet: CataloguePet, isShort: boolean): Part => {
  const price = priceText(pet);
  const facts = [...detailFacts(pet), ...careFacts(pet)];
  const { healthNotes } = pet.medicalInfo ?? {};
  const texts = [
    `${headline(pet)}: ${STATUS_WORDS[pet.status]}.`,
    facts.length > 0 && `The catalogue says: ${facts.join(', ')}.`,
    price === null ? 'The catalogue states no price.' : `Price ${price}.`,
    !isShort && pet.description && `The description says: ${quoted(pet.description, LONGEST_QUOTATION)}`,
    !isShort && healthNotes && `The health notes say: ${quoted(healthNotes, LONGEST_QUOTATION)}`,
  ];
  return { text: texts.filter(Boolean).join(' '), pets: [pet] };
};

const COMPARED = [
  'age',
  'size',
  'gender',
  'color',
  'children',
  'vaccinated',
  'spayedNeutered',
  'specialNeeds',
  'price',
] as const satisfies readonly Fact[];

/** Compares pets field by field: first what differs, then what is the same. */
export const comparison = (pets: readonly CataloguePet[], isShort: boolean): Part => {
  const rows = COMPARED.map((fact) => ({ fact, values: pets.map((pet) => factValue(pet, fact)) }));
  const differing = rows.filter(({ values }) => new Set(values).size > 1);
  const same = rows.filter(({ values }) => new Set(values).size === 1 && values[0] !== NOT_STATED);
  const texts = [
    ...pets.map((pet, nth) => `${nth + 1}. ${[`${headline(pet)}.`, ...unavailable(pet)].join(' ')}`),
    differing.length > 0 ? 'They differ in:' : 'The catalogue states no difference.',
    ...differing.map(({ fact, values }) => `- ${LABELS[fact]}: ${pets.map((pet, nth) => `${nameText(pet)} ${values[nth]}`).join('; ')}`),
    !isShort && same.length > 0 && `The same for all: ${same.map(({ fact, values }) => `${LABELS[fact]} ${values[0]}`).join(', ')}.`,
    currencyNote(pets),
  ];
  return { text: texts.filter(Boolean).join('\n'), pets };
};

const currencyNote = (pets: readonly CataloguePet[]): string | null =>
  new Set(pets.flatMap(({ price, currency }) => (price === undefined ? [] : [currency]))).size > 1
    ? 'The prices have different currencies, so I do not compare them.'
    : null;

/** Says what several pets cost together. Null unless each has a price, in one currency. */
export const sumText = (pets: readonly CataloguePet[]): string | null => {
  const prices = pets.flatMap(({ price }) => (price === undefined ? [] : (minorUnits(price) ?? [])));
  const [currency, ...others] = new Set(pets.map((pet) => pet.currency));
  if (pets.length < 2 || prices.length < pets.length || others.length > 0) return null;
  const cents = prices
    .reduce((sum, one) => sum + one, 0n)
    .toString()
    .padStart(3, '0');
  const total = priceText({ price: `${cents.slice(0, -2)}.${cents.slice(-2)}`, currency });
  return `Together ${joined(pets.map(nameText))} cost ${total}.`;
};

/** Says that pets that were shown before still meet the preferences. */
export const stillFit = (pets: readonly CataloguePet[], criteria: string): Part => ({
  text: `${pets.length === 1 ? 'This pet still meets' : 'These pets still meet'} your criteria${criteria === '' ? '' : ` (${criteria})`}: ${joined(pets.map(nameText))}.`,
  pets,
});
