import { spacedWords } from '../reading/token.js';
import { isNumeric } from '../preferences/number-context.js';
import { topicsIn } from '../reading/topics-in.js';
import { isAnimal } from './own-animal.js';
import { isCareQuestion } from './care-question.js';
import { roleAt } from '../preferences/roles.js';
import { PET_WORDS } from '../words/animals.js';
import { lossIn } from '../reading/loss.js';
import type { Sentence } from '../reading/sentence.js';
import { thanOf } from './choice.js';

/** In the answer to the advisor's question about an allergy, all animals are causes, unless the sentence looks for one. */
export const withCauses = (sentence: Sentence): Sentence =>
  sentence.items.some(({ concept }) => concept?.kind === 'want' || concept?.kind === 'query' || concept?.kind === 'negator')
    ? sentence
    : {
        ...sentence,
        items: sentence.items.map((item) =>
          /^(species|breed|stage|covering)$/.test(item.concept?.kind ?? '') ? { ...item, isNegated: true } : item,
        ),
      };

/**
 * Whether a sentence asks for a fact of a pet that was shown: "Is the first one vaccinated?" Such a sentence states no preference.
 * "Is it possible to get a small dog?" names an animal, and states preferences.
 */
export const isFactQuestion = ({ items, isQuestion }: Sentence): boolean =>
  (isQuestion || /^(is|are|does|do|has|was|can)$/.test(items[0]?.text ?? '')) &&
  items.some(({ text }, at) => /^(is|are|does|do|has|was|can)$/.test(text) && isReference(items, at + 1)) &&
  !items.some(
    ({ concept, text }) => /^(want|species|breed|stage|more)$/.test(concept?.kind ?? '') && !/^(like|love|need|needs|wants)$/.test(text),
  );

const isReference = (items: Sentence['items'], at: number): boolean =>
  /^(pronoun|ordinal|pet)$/.test(items[at]?.concept?.kind ?? '') ||
  (items[at]?.text === 'the' && thanOf(items[at + 1]?.concept ?? null) !== null);

/** Whether a sentence tells of the death of an animal and wants nothing. Its animals are no preference: "my lab died". */
export const isOnlyLoss = ({ items, tokens }: Sentence): boolean =>
  lossIn(tokens) !== null && !items.some(({ concept }) => concept?.kind === 'want' || concept?.kind === 'query');

/** The sentences without the names of animals whose death they tell: "our dog Bruno died" is about no Bruno of the catalogue. */
export const withoutLost = (sentences: readonly Sentence[]): readonly Sentence[] => {
  const lost = new Set(
    sentences.filter(isOnlyLoss).flatMap(({ items }) => items.flatMap(({ concept, text }) => (concept?.kind === 'pet' ? [text] : []))),
  );
  if (lost.size === 0) return sentences;
  return sentences.map((one) => ({
    ...one,
    items: one.items.map((item) => (item.concept?.kind === 'pet' && lost.has(item.text) ? { ...item, concept: null } : item)),
  }));
};

/** Whether a sentence has a phrase or a number at all. */
export const saysSomething = ({ items }: Sentence): boolean => items.some((item) => item.concept !== null || isNumeric(item));

/** First words of tasks that have nothing to do with pets, even if they name an animal: "Translate dog to French". */
const OTHER_TASKS = /^(translate|spell|write|define|sing|draw|calculate|code|program|rhyme|pronounce)$/;

export const isTask = ({ tokens }: Sentence): boolean => OTHER_TASKS.test(tokens[0]?.word ?? '');

/** The maximum number of words of a question that continues the one before. */
const LONGEST_FOLLOW_UP = 8;

/** Whether a message continues a question with another animal: "and hamsters?", "what about a rabbit". */
export const isFollowUp = (sentences: readonly Sentence[]): boolean => {
  const [first, ...others] = sentences;
  if (!first || others.length > 0 || first.tokens.length > LONGEST_FOLLOW_UP) return false;
  const text = spacedWords(first.tokens);
  return (
    / (?:and|what about|how about|or|same for|also for) /.test(text) &&
    first.items.some(({ concept }) => isAnimal(concept)) &&
    topicsIn(first.tokens).length === 0 &&
    !first.items.some(({ concept }) => concept?.kind === 'want')
  );
};

/** Whether a question about care also looks for animals: "how much is a gecko and what else do I need", "how big is a husky and do you have one". */
export const alsoSearches = (sentence: Sentence): boolean => HAS_ONE.test(spacedWords(sentence.tokens)) || asksPriceToo(sentence);
const HAS_ONE = / (?:do you have|have you got|got) (?:(?:a|an|any|some) )?(?:[a-z]+ )?(?:one|ones|any|some|them) /;

const asksPriceToo = ({ tokens, items }: Sentence): boolean =>
  / how much (?:is|are|does|do|for|would|will) (?:[^ ]+ ){1,4}(?:cost|costs|and|plus|with|incl|including|\?)|how much (?:is|are|for) (?:[^ ]+ ){1,4}$| what (?:do|does|would|will) (?:[^ ]+ ){1,4}cost(?= )| price (?:of|for) (?:[^ ]+ ){1,4}/.test(
    spacedWords(tokens),
  ) &&
  items.some(({ concept }) => isAnimal(concept)) &&
  !topicsIn(tokens).some((topic) => topic === 'costs' || topic === 'meals');

/** Verbs of the kind `want` that say nothing about a search: "do cats like water?" */
const OF_ANIMALS = /^(like|love|need|needs|wants|after|keep|find|choose|must|should be|has to be|have to be)$/;

/**
 * Whether a sentence asks for pets. What is told beside a question about care or about the store asks for none: "Do you deliver? We
 * live far away."
 */
export const asksForPets = (sentence: Sentence): boolean => {
  const { items, tokens, isQuestion } = sentence;
  if (alsoSearches(sentence)) return true;
  if (isCareQuestion(sentence)) return false;
  if (items.some(({ concept }) => concept?.kind === 'more')) return true;
  const isWanted = items.some(({ concept, isNegated }, at) => isAnimal(concept) && !isNegated && roleAt(items, at) === 'wanted');
  const namesPet =
    isWanted || tokens.some(({ word }) => PET_WORDS.has(word) || /^(something|anything|else|another|again|pair)$/.test(word));
  const seeks = items.some(
    ({ concept, text }) => concept?.kind === 'query' || concept?.kind === 'order' || (concept?.kind === 'want' && !OF_ANIMALS.test(text)),
  );
  return (namesPet && seeks) || (isWanted && !isQuestion && !/^(how|what|when|why|do|does|is|are|can|should)$/.test(tokens[0]?.word ?? ''));
};
