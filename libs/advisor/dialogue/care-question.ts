import { perSentence, type Sentence } from '../reading/sentence.js';
import type { Item } from '../reading/token.js';
import { topicsIn } from '../reading/topics-in.js';
import { agesOfPeople } from '../suiting/people.js';
import { isSuiting } from '../suiting/suits.js';
import { hasAllergy } from './allergy.js';
import { isAnimal, namesOwnAnimal } from './own-animal.js';
import type { Topic } from '../words/concept.js';

const BEGINNINGS = /^(how|what|when|can|could|should|do|does|is|are|why|where|tell|explain|give|may|any|which|must|will|need)$/;
const ADVICE = /^(tips|advice|guide|explain|care|advise)$/;
const SEARCHING = /^(want|would like|i'd like|we'd like|looking for|look for|show me|recommend|suggest|recommend a|search for|find)$/;

/** Topics whose words may also describe the symptoms of a person. */
const OF_SYMPTOMS: ReadonlySet<Topic> = new Set<Topic>(['vet', 'grooming']);

/** Returns the topics of care that a sentence names, in the order of the sentence. The allergy of a person comes first. */
export const topicsOf = (sentence: Sentence): readonly Topic[] => {
  const named = topicsIn(sentence.tokens).filter(
    (topic) => topic !== 'gift' && (topic !== 'company' || !isOnlyAboutKids(sentence)) && (topic !== 'place' || namesSubject(sentence)),
  );
  return hasAllergy(sentence) ? ['allergies', ...named.filter((topic) => !OF_SYMPTOMS.has(topic))] : named;
};

/** Whether a sentence names the animals that it is about. "Which pet can live in a garage?" looks for them. */
const namesSubject = ({ items }: Sentence): boolean =>
  items.some(({ concept }) => isAnimal(concept) || /^(pronoun|pet|ordinal)$/.test(concept?.kind ?? ''));

/** "Does he get along with kids?" is about children, not about other animals. */
const isOnlyAboutKids = ({ items }: Sentence): boolean =>
  items.some(({ concept }) => concept?.kind === 'kids') && !items.some(({ concept }) => isAnimal(concept));

/** Topics of the process of this store. */
export const STORE_TOPICS: ReadonlySet<Topic> = new Set<Topic>([
  'adopting',
  'application',
  'requirements',
  'visiting',
  'paying',
  'returning',
  'delivery',
  'surrendering',
  'orders',
  'photos',
  'contact',
  'hours',
  'goods',
  'person',
  'holding',
]);

/** Whether a question is about the process of this store, not about animals. */
export const isAboutStore = (sentence: Sentence): boolean =>
  isCareQuestion(sentence) && topicsOf(sentence).some((topic) => STORE_TOPICS.has(topic));

/** Topics that the guide answers, also in a sentence about what suits the customer. */
const UNCOVERED: ReadonlySet<Topic> = new Set<Topic>([
  ...STORE_TOPICS,
  'pregnancy',
  'allergies',
  'lifespan',
  'away',
  'effort',
  'settling',
  'sexes',
  'place',
  'shopping',
  'equipment',
]);
/** A message about these topics is a care question, whatever else it says. */
const OF_STORE_ALONE: ReadonlySet<Topic> = new Set<Topic>(['surrendering', 'returning', 'person', 'holding']);
/** A question about these topics is a care question even if it names a pet. */
const ALWAYS_CARE: ReadonlySet<Topic> = new Set<Topic>([
  ...STORE_TOPICS,
  'pregnancy',
  'costs',
  'lifespan',
  'away',
  'effort',
  'sexes',
  'naming',
  'law',
  'place',
  'equipment',
]);
/** Statements that get the same answer as a question: "We travel a lot", "I applied last week", "I'll take her". */
const STATED: ReadonlySet<Topic> = new Set<Topic>(['away', 'application', 'surrendering', 'orders']);
const TAKES = /\btake (her|him|them)\b/;
/** If a question about these topics names a pet, the guide answers it for the species of the pet. */
const OF_SPECIES: ReadonlySet<Topic> = new Set<Topic>([
  'feeding',
  'exercise',
  'housing',
  'grooming',
  'settling',
  'meals',
  'warmth',
  'room',
  'shopping',
  'toilet',
  'biting',
]);

/**
 * Returns the topics that a sentence names and that the guide covers. "Does Luna get along with dogs?" has no such topic, because
 * the answer depends on Luna. "What should I feed Luna?" has the topic `feeding`, because the answer depends on her species only.
 */
const careTopicsOf = (sentence: Sentence): readonly Topic[] => {
  const namesPet = sentence.items.some(({ concept }) => concept?.kind === 'pet');
  return topicsOf(sentence).filter((topic) => !namesPet || ALWAYS_CARE.has(topic) || OF_SPECIES.has(topic));
};

/** Matches a question at any place in a sentence: "My cat had kittens, what should I feed them". */
const ASKS = /\b(how|what|when|where) (should|do|does|can|to|often|much|many|long)\b|\b(should|can|do|must|could|may) (i|we)\b/;
/** A question for all that the guide says about a kind: "tell me something about bearded dragons". */
const TELLS_ABOUT =
  /\b(?:something|everything|facts|information|a bit|a little|what do you know|what do you think) (?:about|of) (?!your|the|this|that)/;
const REASONS = /\b(?:reasons? (?:to|for|why)|advantages|disadvantages|benefits|pros and cons|why should (?:i|we) (?:get|have|adopt))\b/;
/** Phrases of the kind `want` that do not look for a pet: "Do cats like water?" */
const OTHER_WANTS = /^(like|love|need|needs|wants|after|choose|keep|to have|get along with)$/;

/** In a question such as "how long do dogs have to be in quarantine", these words look for no pet. */
const RULE = /^(have to be|has to be|must|must be|should be|get)$/;

const wordsOf = (tokens: Sentence['tokens']): string => tokens.map(({ word }) => word).join(' ');

const asksIn = ({ tokens, isQuestion }: Sentence): boolean =>
  isQuestion || BEGINNINGS.test(tokens[0]?.word ?? '') || tokens.some(({ word }) => ADVICE.test(word)) || ASKS.test(wordsOf(tokens));

/** Whether the sentence is a question about the care of animals, and not about the pet that the customer looks for. */
export const isCareQuestion = perSentence((sentence: Sentence): boolean => {
  const { tokens, items } = sentence;
  const first = tokens[0]?.word ?? '';
  const wants = items.flatMap(({ concept, text }) => (concept?.kind === 'want' ? [text] : []));
  const searches = wants.some((text) => SEARCHING.test(text));
  const topics = careTopicsOf(sentence);
  // "What do they cost a month?" is about the animals that were named last.
  if (topics.length > 0 && asksOfPronoun(sentence)) return true;
  if (REASONS.test(wordsOf(tokens)) && items.some(({ concept }) => isAnimal(concept))) return true;
  if (
    TELLS_ABOUT.test(wordsOf(tokens)) &&
    items.some(({ concept }) => isAnimal(concept)) &&
    !items.some(({ concept, text }) => /^(pet|order|query|want)$/.test(concept?.kind ?? '') && !/^think/.test(text))
  )
    return true;
  if (isSuiting(sentence) && !topics.some((topic) => UNCOVERED.has(topic))) return false;
  const wantsAnimal =
    wants.some((text) => /^(get|adopt|buy|buying|adopting|can have|can i have|to have)$/.test(text)) &&
    items.some(({ concept, isNegated }) => isAnimal(concept) && !isNegated);
  if (hasAllergy(sentence)) return asksIn(sentence) && !searches && !wantsAnimal && !items.some(isOfSearch);
  // "My parrot is plucking its feathers" is not a question, but gets the same answer as one.
  if (topics.length > 0 && namesOwnAnimal(sentence) && wants.every((text) => OTHER_WANTS.test(text))) return true;
  if (topics.some((topic) => OF_STORE_ALONE.has(topic))) return true;
  const isStated = topics.some((topic) => STATED.has(topic)) || TAKES.test(wordsOf(tokens));
  if (isStated && wants.every((text) => OTHER_WANTS.test(text))) return true;
  if (!asksIn(sentence)) return false;
  if (topics.some((topic) => ALWAYS_CARE.has(topic))) return !searches;
  if (items.some(({ concept }) => concept?.kind === 'query') && !/^(how|what)$/.test(first)) return false;
  if (topics.length > 0) return !searches || /^(how|what|when|should)$/.test(first);
  const isRule = /^(how|when|why|do|does|can)$/.test(first) && !tokens.some(({ word }) => /^(i|we|you|my|our|me|us)$/.test(word));
  return (
    isAboutChildren(sentence) || (wants.every((text) => OTHER_WANTS.test(text) || (isRule && RULE.test(text))) && isAboutAnimals(sentence))
  );
});

/** Whether a question is about animals that only a pronoun names. */
const asksOfPronoun = (sentence: Sentence): boolean =>
  asksIn(sentence) &&
  sentence.items.some(({ concept }) => concept?.kind === 'pronoun') &&
  !sentence.items.some(({ concept }) => isAnimal(concept) || /^(query|want|pet|kids)$/.test(concept?.kind ?? '')) &&
  careTopicsOf(sentence).some((topic) => topic === 'costs' || topic === 'place');

/** Whether an item of a question about an allergy looks for pets: "do you have", or an animal that is ruled out. */
const isOfSearch = ({ concept, isNegated, text }: Item): boolean =>
  (concept?.kind === 'query' && text !== 'which') || (isNegated && (isAnimal(concept) || concept?.kind === 'covering'));

/** Whether a sentence gets an answer from the guide. One about an allergy gets it even if it looks for a pet (contract 40.5). */
export const needsGuide = (sentence: Sentence): boolean => isCareQuestion(sentence) || hasAllergy(sentence);

/** Whether a question is about animals although it names no topic: "How do I know if my rabbit is happy?" */
const isAboutAnimals = ({ items, tokens }: Sentence): boolean =>
  /^(how|why|can|could|should|do|does|is|are|will|when)$/.test(tokens[0]?.word ?? '') &&
  !/^(how (many|much)|is there|are there|do you|can you|could you|have you)$/.test(`${tokens[0]?.word} ${tokens[1]?.word}`) &&
  items.some(({ concept }) => isAnimal(concept)) &&
  !items.some(({ concept }) =>
    ['pet', 'query', 'slot', 'order', 'relative', 'ordinal', 'currency', 'indifference'].includes(concept?.kind ?? ''),
  );

/** Whether a sentence asks about children and a species or breed: "Are rabbits good with children?" */
export const isAboutChildren = ({ items, isQuestion, tokens }: Sentence): boolean =>
  isQuestion &&
  /^(are|is|do|does|can|should)$/.test(tokens[0]?.word ?? '') &&
  (items.some(({ concept }) => concept?.kind === 'kids') || agesOfPeople(items).some((years) => years < 14)) &&
  items.some(({ concept }) => concept?.kind === 'species' || concept?.kind === 'breed') &&
  !items.some(({ concept }) => concept?.kind === 'pet' || concept?.kind === 'query');
