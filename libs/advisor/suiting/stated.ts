import { spacedWords } from '../reading/token.js';
import { isCareQuestion } from '../dialogue/care-question.js';
import { isAnimal } from '../dialogue/own-animal.js';
import { isFactQuestion, isTask } from '../dialogue/sentence-kinds.js';
import type { Preferences } from '../preferences/preferences.js';
import type { Sentence } from '../reading/sentence.js';
import { topicsIn } from '../reading/topics-in.js';
import { instructionCases } from '../refusals/instructions.js';
import { aspectsIn, withAspects } from './aspects-in.js';
import { wishesIn } from './descriptions.js';
import { isSuiting } from './suits.js';

/** Whether a sentence says what the home and the customer ask of a pet. */
export const isOfHome = (sentence: Sentence): boolean =>
  isSuiting(sentence) && !isFactQuestion(sentence) && !isTask(sentence) && instructionCases(sentence.tokens).length === 0;

/** Whether a sentence that the guide answers looks for a pet, too: "what pet suits people who travel a lot?" */
export const seeksPet = ({ tokens }: Sentence): boolean =>
  / (?:what|which|any) (?:pet|pets|animal|animals) (?:would|could|can|suits?|fits?|is|are|for) /.test(spacedWords(tokens)) &&
  topicsIn(tokens).includes('away');

/** Adds what the home and the customer ask of a pet. Returns `before` itself if the sentences add nothing. */
export const withHome = (before: Preferences, sentences: readonly Sentence[]): Preferences => {
  const aspects = withAspects(before.aspects, sentences.flatMap(aspectsIn));
  return aspects === before.aspects ? before : { ...before, aspects };
};

/** Adds the wishes that descriptions can answer. They only change the order of pets. */
export const withWishes = (before: Preferences, sentences: readonly Sentence[]): Preferences => {
  const wanting = sentences.filter((one) => !isCareQuestion(one) && !isFactQuestion(one) && !isTask(one) && one.items.some(isOfWish));
  const wishes = wanting.flatMap(({ tokens }) => wishesIn(tokens.map(({ word }) => word).join(' ')));
  const more = wishes.filter((wish) => !before.wishes.includes(wish));
  return more.length === 0 ? before : { ...before, wishes: [...before.wishes, ...new Set(more)] };
};

const isOfWish = ({ concept }: Sentence['items'][number]): boolean =>
  isAnimal(concept) || /^(want|query|unrecorded)$/.test(concept?.kind ?? '');

const ANOTHER = / (?:something|anything|another|other|others|instead|too|rather|one that|ones that|less|more|less of) /;

/** Whether sentences ask for another kind of animal by what it is like: "too loud, something quieter". */
export const asksForAnother = (sentences: readonly Sentence[]): boolean =>
  sentences.some((one) => aspectsIn(one).length > 0 && ANOTHER.test(spacedWords(one.tokens))) &&
  !sentences.some(({ items }) => items.some(({ concept }) => isAnimal(concept)));

const ELSE =
  / (?:(?:recommend|suggest|advise|have|ideas?|options?) (?:[^ ]+ )?(?:instead|else)|(?:something|anything|what) else (?:would|do|could|can|that)|other ideas|other kinds?|another (?:kind|animal|pet)|different (?:kind|animal|pet)) /;

/** Takes the kinds that did not suit out of the preferences, if the customer asks for another kind: "what would you recommend instead?" */
export const withOtherKinds = (before: Preferences, tokens: Sentence['tokens']): Preferences => {
  const { species, breeds, aspects, notBreeds, notSpecies } = before;
  if (aspects.length === 0 || species.length === 0 || !ELSE.test(spacedWords(tokens))) return before;
  return breeds.length > 0
    ? { ...before, species: [], breeds: [], notBreeds: [...notBreeds, ...breeds] }
    : { ...before, species: [], notSpecies: [...notSpecies, ...species] };
};
