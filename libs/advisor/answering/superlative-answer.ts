import type { Catalogue, CataloguePet } from '../catalogue.js';
import { isCareQuestion } from '../dialogue/care-question.js';
import { factOfChoice, firstBy, firstText, superlativeOf, superlativeOfAll } from '../dialogue/choice.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { factsIn } from '../dialogue/purposes.js';
import { ORDERS } from '../matching/order.js';
import { searchPets } from '../matching/search.js';
import { capitalised, spacedWords } from '../reading/token.js';
import type { Preferences } from '../preferences/preferences.js';
import { criteriaText, joined } from '../wording/criteria.js';
import { factsOfPets, sumText } from '../wording/details.js';
import { animalsIn, animalText, ofCriteria, searchOf } from './comparison-answer.js';
import { factSentence, factValue, LABELS, NOT_STATED } from '../wording/facts.js';
import { nameText } from '../wording/pet-facts.js';
import { lines, whyText } from '../wording/recommend.js';
import type { Part, Style } from '../wording/part.js';
import type { Fact, Order } from '../words/concept.js';

/** Facts that the line of a pet states. */
const IN_LINE: ReadonlySet<Fact> = new Set<Fact>(['price', 'age', 'breed', 'arrival', 'size', 'status']);

/** Says which of the pets that a search found first is for example the cheapest: "The cheapest is Leo: 80.00 USD." */
export const leadText = (fits: readonly CataloguePet[], order: Order): string | null => {
  const [first] = fits;
  if (!first) return null;
  const winners = fits.filter((pet) => ORDERS[order].compare(first, pet) === 0);
  const value = factValue(first, factOfChoice(order));
  if (value === NOT_STATED) return null;
  const words = capitalised(firstText(order));
  if (winners.length === 1) return `${words} is ${nameText(first)}: ${valueText(order, value)}.`;
  const names = joined(winners.slice(0, MOST_WINNERS).map(nameText));
  const more = winners.length > MOST_WINNERS ? ' and others' : '';
  return `${words} are ${names}${more}, all with the same ${LABELS[factOfChoice(order)]}: ${valueText(order, value)}.`;
};

/** The maximum number of pets that a sentence names if they share a place. */
const MOST_WINNERS = 3;
const valueText = (order: Order, value: string): string => (factOfChoice(order) === 'arrival' ? `in the catalogue since ${value}` : value);

/** Words of a message that asks what several pets cost in all. */
const ASKS_SUM = / (?:cost|costs|price|how much|total|together|altogether|in all|all in|sum|combined) /;

/** Answers several superlatives at once: "your oldest and your youngest pet", "your cheapest cat and your cheapest dog". */
const winnersOfEach = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const { sentences, preferences } = dialogue;
  const items = sentences.flatMap((sentence) => (isCareQuestion(sentence) ? [] : sentence.items));
  const orders = [
    ...new Set(items.flatMap(({ concept, isNegated }) => (concept?.kind === 'order' && !concept.isSoft && !isNegated ? [concept.by] : []))),
  ];
  const animals = animalsIn(sentences.filter((sentence) => !isCareQuestion(sentence)));
  const isOfKnown = animals.every(({ species }) => preferences.species.includes(species));
  const groups = animals.length > 1 ? animals : [null];
  if (orders.length === 0 || orders.length * groups.length < 2 || !isOfKnown) return [];
  const asked = groups.flatMap((group) => orders.map((order) => ({ group, order }))).slice(0, MOST_WINNERS + 1);
  const found = await Promise.all(
    asked.map(async ({ group, order }) => {
      const wish = { ...preferences, ...(group && searchOf(group)), order, isOrderSoft: false };
      const { fits } = await searchPets(catalogue, wish, { limit: style.limit, isCounting: false });
      const isShared = fits.length > 1 && ORDERS[order].compare(fits[0], fits[1]) === 0;
      return fits.slice(0, 1).map((pet) => ({ pet, order, isShared, group }));
    }),
  );
  const winners = found.flat();
  if (winners.length < 2) return [];
  const text = winners
    .map(({ pet, order, group, isShared }) => {
      const noun = group ? ` ${animalText(group, isShared)}` : '';
      return `${isShared ? 'among ' : ''}${firstText(order)}${noun} is ${nameText(pet)} (${factValue(pet, factOfChoice(order))})`;
    })
    .join(', ');
  const pets = [...new Set(winners.map(({ pet }) => pet))];
  const of = ofCriteria(preferences);
  const sum = ASKS_SUM.test(spacedWords(dialogue.tokens)) ? sumText(pets) : null;
  return [
    {
      text: `${of === '' ? capitalised(text) : `${of}${text}`}.${sum === null ? '' : ` ${sum}`}\n${lines(pets, 1, style, () => null)}`,
      pets,
    },
  ];
};

/**
 * Answers a superlative such as "how much is the cheapest one?" from all pets that meet the preferences of the conversation
 * (contract 40.3). Returns no parts if the last message has no such superlative.
 */
export const superlativeParts = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const { sentences, referred, shown, preferences } = dialogue;
  if (referred.named.length > 0) return [];
  const ofEach = await winnersOfEach(dialogue, catalogue, style);
  if (ofEach.length > 0) return ofEach;
  const ofAll = await winnersOfAll(dialogue, catalogue, style);
  if (ofAll.length > 0) return ofAll;
  const order = sentences
    .filter((sentence) => !isCareQuestion(sentence))
    .map(superlativeOf)
    .find((one) => one !== null);
  if (!order) return [];
  const { fits } = await searchPets(catalogue, { ...preferences, order, isOrderSoft: false }, { limit: style.limit, isCounting: false });
  const [first] = fits;
  if (!first) return [];
  const winners = fits.filter((pet) => ORDERS[order].compare(first, pet) === 0);
  const facts = factsIn(sentences).filter((fact) => fact !== factOfChoice(order));
  if (winners.length === 1 && facts.length > 0 && shown.includes(first)) return [factsOfPets([first], facts)];
  return [winnersPart(winners, { ...preferences, order }, facts, style)];
};

/**
 * Answers "the cheapest of those" after a list that shows only some of the pets that meet the criteria: from all of them, and from
 * those of the list. Returns no parts if the list has the answer.
 */
const winnersOfAll = async ({ sentences, shown, preferences }: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const order = sentences.map(superlativeOfAll).find((one) => one !== null);
  if (!order || shown.length < 2) return [];
  const wish = { ...preferences, order, isOrderSoft: false };
  const { fits } = await searchPets(catalogue, wish, { limit: style.limit, isCounting: false });
  const winners = fits.filter((pet) => ORDERS[order].compare(fits[0], pet) === 0);
  if (winners.length === 0 || winners.some(({ id }) => shown.some((pet) => pet.id === id))) return [];
  // Pets of another search are no part of these criteria.
  if (!shown.every((pet) => fits.some(({ id }) => pet.id === id))) return [];
  const first = firstBy(shown, order);
  const part = winnersPart(winners, wish, [], style);
  const ofShown = first ? `\nOf those that I showed, ${nameText(first)} is ${firstText(order)}.` : '';
  return [{ text: `${part.text}${ofShown}`, pets: first ? [...part.pets, first] : part.pets }];
};

const winnersPart = (
  winners: readonly CataloguePet[],
  preferences: Preferences & { readonly order: Order },
  facts: readonly Fact[],
  style: Style,
): Part => {
  const pets = winners.slice(0, style.limit);
  const isOne = pets.length === 1;
  const names = joined(pets.map(nameText));
  const criteria = criteriaText(preferences);
  // Pets that do not suit the customer at all are left out.
  const all = preferences.aspects.length > 0 ? 'those that suit you' : 'them all';
  const of = `${firstText(preferences.order)} of ${all}${criteria === '' ? '' : ` (${criteria})`}`;
  const text =
    winners.length > pets.length ? `Several pets share this place: ${names} are among ${of}.` : `${names} ${isOne ? 'is' : 'are'} ${of}.`;
  const others = facts.filter((fact) => !IN_LINE.has(fact));
  const notes = pets.flatMap((pet) => others.map((fact) => factSentence(pet, fact)));
  return { text: [text, lines(pets, 1, style, (pet) => whyText(pet, preferences)), ...notes].join('\n'), pets };
};
