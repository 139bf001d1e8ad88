import { spacedWords } from '../reading/token.js';
import { perSentence, type Sentence } from '../reading/sentence.js';
import type { Aspect } from '../kinds/aspects.js';
import { statementsOf } from '../preferences/statements.js';
import { roleAt } from '../preferences/roles.js';
import { ASPECT_PATTERNS, OPPOSITES } from './aspect-words.js';
import { agesOfPeople } from './people.js';

const NEGATED = / (?:not|no|don't|doesn't|do not|does not|isn't|never|can't|cannot|won't|without|nothing|hate) (?:[^ .!?;,]+ ){0,4}$/;
/** A negation of one of these words asks for nothing. A negation of most other aspects asks for the same: "not loud", "no smell". */
const DROPPED: ReadonlySet<Aspect> = new Set<Aspect>([
  'cuddly',
  'talks',
  'tricks',
  'cage',
  'outdoors',
  'pair',
  'single',
  'walks',
  'night',
  'day',
]);

/** Words of a customer who is at home during the day. */
const AT_HOME =
  / (?:(?:work|works|working|job|office) (?:[^ ]+ )?(?:from|at) home|remote|remotely|home office|homeoffice|retired|always home|home all day|at home all day|stay at home) /;

const ofWords = (text: string): readonly Aspect[] =>
  ASPECT_PATTERNS.flatMap(([aspect, pattern]) => {
    const found = pattern.exec(text);
    if (!found || (aspect === 'away' && AT_HOME.test(text))) return [];
    if (!DROPPED.has(aspect) || !NEGATED.test(text.slice(0, found.index + 1))) return [aspect];
    return OPPOSITES[aspect] ? [OPPOSITES[aspect]] : [];
  });

/** Returns the aspects whose words a sentence has. */
export const namedAspects = (sentence: Sentence): readonly Aspect[] => ofWords(spacedWords(sentence.tokens));

const ofAge = (years: number): readonly Aspect[] => (years < 5 ? ['toddler'] : years < 14 ? ['child'] : years >= 65 ? ['senior'] : []);

/** Small animals of the customer that the catalogue has no species for. */
const SMALL_ANIMALS = /^(duck|ducks|chicken|chickens|hen|hens|goose|geese|frog|frogs|mantis)$/;

const ofHome = (sentence: Sentence): readonly Aspect[] => [
  ...(sentence.items.some(
    ({ concept, text }, at) => concept?.kind === 'animal' && SMALL_ANIMALS.test(text) && /^(owned|met)$/.test(roleAt(sentence.items, at)),
  )
    ? (['small'] as const)
    : []),
  ...ofSpecies(sentence),
];

/** Mice that nobody keeps. */
const PESTS =
  / (?:mice|mouse|rats) (?:in|problem|infestation|everywhere) | (?:catch|catches|hunts?|kill|kills|get rid of) (?:[^ ]+ )?(?:mice|rats|mouse) /;

const ofSpecies = (sentence: Sentence): readonly Aspect[] =>
  PESTS.test(spacedWords(sentence.tokens))
    ? []
    : statementsOf(sentence).flatMap((one): readonly Aspect[] => {
        if (one.about !== 'ownPet') return [];
        return one.species === 'CAT' ? ['cats'] : one.species === 'DOG' ? ['dogs'] : one.species === 'REPTILE' ? [] : ['small'];
      });

/** Returns the aspects of pets that a sentence names, or that its circumstances concern: "we both work full time", "my son is 6". */
export const aspectsIn = perSentence((sentence: Sentence): readonly Aspect[] => {
  const found = [...ofHome(sentence), ...agesOfPeople(sentence.items).flatMap(ofAge), ...namedAspects(sentence)];
  // What is safe for a toddler is safe for an older child, too.
  return [...new Set(found)].filter((aspect) => aspect !== 'child' || !found.includes('toddler'));
});

/** Adds aspects to earlier ones. A later aspect replaces its opposite. */
export const withAspects = (before: readonly Aspect[], more: readonly Aspect[]): readonly Aspect[] =>
  more.every((one) => before.includes(one))
    ? before
    : [...new Set([...before.filter((one) => !more.some((other) => OPPOSITES[other] === one)), ...more])];
