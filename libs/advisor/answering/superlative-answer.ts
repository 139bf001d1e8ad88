import type { Catalogue, CataloguePet } from '../catalogue.js';
import { isCareQuestion } from '../dialogue/care-question.js';
import { factOfChoice, firstText, superlativeOf } from '../dialogue/choice.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { factsIn } from '../dialogue/purposes.js';
import { ORDERS } from '../matching/order.js';
import { searchPets } from '../matching/search.js';
import type { Preferences } from '../preferences/preferences.js';
import { criteriaText, joined } from '../wording/criteria.js';
import { factsOfPets } from '../wording/details.js';
import { factSentence } from '../wording/facts.js';
import { nameText } from '../wording/pet-facts.js';
import { lines, whyText } from '../wording/recommend.js';
import type { Part, Style } from '../wording/part.js';
import type { Fact, Order } from '../words/concept.js';

/** Facts that the line of a pet states. */
const IN_LINE: ReadonlySet<Fact> = new Set<Fact>(['price', 'age', 'breed', 'arrival', 'size', 'status']);

/**
 * Answers a superlative such as "how much is the cheapest one?" from all pets that meet the preferences of the conversation
 * (contract 40.3). Returns no parts if the last message has no such superlative.
 */
export const superlativeParts = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const { sentences, referred, shown, preferences } = dialogue;
  const order = sentences
    .filter((sentence) => !isCareQuestion(sentence))
    .map(superlativeOf)
    .find((one) => one !== null);
  if (!order || referred.named.length > 0) return [];
  const { fits } = await searchPets(catalogue, { ...preferences, order, isOrderSoft: false }, { limit: style.limit, isCounting: false });
  const [first] = fits;
  if (!first) return [];
  const winners = fits.filter((pet) => ORDERS[order].compare(first, pet) === 0);
  const facts = factsIn(sentences).filter((fact) => fact !== factOfChoice(order));
  if (winners.length === 1 && facts.length > 0 && shown.includes(first)) return [factsOfPets([first], facts)];
  return [winnersPart(winners, { ...preferences, order }, facts, style)];
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
  const of = `${firstText(preferences.order)} of them all${criteria === '' ? '' : ` (${criteria})`}`;
  const text =
    winners.length > pets.length ? `Several pets share this place: ${names} are among ${of}.` : `${names} ${isOne ? 'is' : 'are'} ${of}.`;
  const others = facts.filter((fact) => !IN_LINE.has(fact));
  const notes = pets.flatMap((pet) => others.map((fact) => factSentence(pet, fact)));
  return { text: [text, lines(pets, 1, style, (pet) => whyText(pet, preferences)), ...notes].join('\n'), pets };
};
