import { spacedWords } from '../reading/token.js';
import { perSentence, type Sentence } from '../reading/sentence.js';
import { animalOf, isAnimal, namesOwnAnimal, needsPet } from '../dialogue/own-animal.js';
import { distinctKinds, kindNamed, type Kind } from '../kinds/kind.js';
import { roleAt } from '../preferences/roles.js';
import { topicsIn } from '../reading/topics-in.js';
import { aspectsIn } from './aspects-in.js';

/** Words that ask whether something is sensible: "is it a good idea", "would a cat be ok". */
const VERDICT =
  / (?:is it better|is it best|would it be better|(?:good|bad|stupid|crazy|dumb|smart|terrible|silly) idea|(?:that|it|this|we|i) (?:is |are |am )?(?:being )?(?:silly|crazy|mad|stupid|daft|dumb|unrealistic)|possible|sensible|okay|ok|alright|all right|suitable|suited|suit|suits|right for|good for|bad for|work for|works for|work out|fit for|realistic|advisable|fair to|cruel|unfair|mean to|a problem|manage|recommend|should (?:i|we) (?:get|buy|adopt|take)|can (?:i|we) (?:have|get|keep|own|adopt)|could (?:i|we) (?:have|get|keep)|is it fine|be fine|would (?:a|an)|can (?:you|one|people) (?:keep|have)|is it (?:ok|okay|fine|bad|cruel|right) to (?:keep|have) (?:a|an|one|two|just|only)|safe (?:for|with|around)|good with|good (?:first |starter |family |indoor |house |beginner )?(?:pet|pets|choice|fit)|allowed to|can (?:my|our|a|the) (?:[^ ]+ ){1,4}(?:hold|stroke|handle|have|keep|care for|look after|play with)|too much|be happy|be good) /;
/** Words that ask for a verdict even without a question mark. */
const QUESTIONABLE =
  /^ (?:is|are|would|can|could|should|do|does|will) | , (?:is|are|would|can|could|will) | (?:idea|possible|sensible|realistic|advisable|should (?:i|we)|or not|thoughts|wondering|wonder|is it|would it|can (?:i|we)) /;
/** Words that compare kinds of animals. */
const COMPARING =
  / (?:more good|more better|more easy|vs|versus|(?:who|which|what) (?:[^ ]+ ){0,3}(?:bigger|smaller|larger|heavier|lighter|older|younger|calmer|louder|friendlier|smarter|livelier)|compared|compare|comparison|difference|differences|than|better|easier|easiest|cheaper|quieter|cleaner|smellier|which (?:is|are|one|would|has|lives|costs|needs|of)|or rather|should (?:i|we)) /;
/** Verbs of the kind `want` that say nothing about a search: "how much room does a hamster need?" */
const OF_ANIMALS = /^(like|love|need|needs|wants|get|choose|to have|find|keep)$/;
const CUSTOMER = / (?:i|i'm|i've|i'd|im|we|we're|we've|my|our|me|us|someone|somebody|people|person) /;
const SEEKING =
  / (?:recommend|suggest|do you have|have you got|any (?:dogs?|cats?|birds?|rabbits?|reptiles?|breeds?)|that (?:don't|do not|won't|need|needs|like|likes|have|has)|something|anything|which (?:pet|pets|animal|animals|one|ones|kind|breed|breeds|dog|dogs|cat|cats|bird|birds)|what (?:pet|pets|animal|animals|kind|breed|breeds|dog|cat|bird|reptile|sort|type)|any (?:pet|pets|animal|animals)|a pet|pet for|(?:[a-z]+est|best|most [a-z]+|least [a-z]+) (?:pet|pets|animal|animals|one|ones|kind|bird|birds|dog|dogs|cat|cats|breed|breeds|reptile|of all|ever)|one that|that (?:is|are|can|does|doesn't)) /;

/** Whether a sentence asks if an animal is sensible for the customer. */
export const asksVerdict = (sentence: Sentence): boolean =>
  (!sentence.items.some(({ concept, text }) => concept?.kind === 'query' && !/^(which|what about|how about)$/.test(text)) ||
    / idea | possible | sensible | okay | ok | suit | suits | right for /.test(spacedWords(sentence.tokens))) &&
  (sentence.isQuestion || QUESTIONABLE.test(spacedWords(sentence.tokens))) &&
  VERDICT.test(spacedWords(sentence.tokens));

/** The number of items of a sentence that are read for kinds. It bounds the time of an answer. */
const LONGEST_READ = 50;

/** Returns the kinds of animals that a sentence looks for or asks about, each once. Animals at home and excluded ones do not count. */
export const kindsIn = perSentence(({ items: all }: Sentence): readonly Kind[] => {
  const items = all.slice(0, LONGEST_READ);
  const found = items.flatMap(({ concept, isNegated }, at) => {
    if (isNegated || !isAnimal(concept) || /^(owned|past|met)$/.test(roleAt(items, at))) return [];
    const animal = animalOf(concept);
    // "A husky dog" names one kind.
    const isOfBreed = animal?.breed === undefined && items[at - 1]?.concept?.kind === 'breed';
    return animal && !isOfBreed ? (kindNamed(animal.species, animal.breed) ?? []) : [];
  });
  return distinctKinds(found);
});

/** Whether a message compares kinds of animals: "hamster or guinea pig?", "is a cat cheaper than a dog". */
export const comparesKinds = (sentences: readonly Sentence[]): boolean => {
  if (kindsOfAll(sentences).length < 2) return false;
  const text = sentences.map(({ tokens }) => spacedWords(tokens)).join('');
  const isOpen = sentences.some(({ items }) =>
    items.some(({ concept, text: word }) =>
      concept?.kind === 'want' ? !OF_ANIMALS.test(word) : concept?.kind === 'query' && !/^(which|what about|how about)$/.test(word),
    ),
  );
  return (
    / between | (?:pick|choose|decide|torn) (?:[^ ]+ ){0,4}or /.test(text) ||
    COMPARING.test(text) ||
    (/ or | between /.test(text) && !isOpen && sentences.some(({ isQuestion }) => isQuestion))
  );
};

/** The kinds that a message looks for or asks about, each once. */
export const kindsOfAll = (sentences: readonly Sentence[]): readonly Kind[] => distinctKinds(sentences.flatMap(kindsIn));

/** Whether a question asks for general knowledge about animals, which the sections of the guide have. */
const isKnowledge = (sentence: Sentence, text: string): boolean =>
  !/ (?:can|could|is it [a-z]+ to) (?:you |i |we |one |people )?(?:keep|have) (?:[^ ]+ ){1,4}(?:in a|alone|while|outside|inside|with|all day) /.test(
    text,
  ) &&
  (!CUSTOMER.test(text) || /^ (?:how|when|why) (?:long|often|much|many|do|does|should|can|to|big|old|is|are) /.test(text)) &&
  !SEEKING.test(text) &&
  !/ idea /.test(text) &&
  (topicsIn(sentence.tokens).length > 0 || sentence.items.some(({ concept }) => concept?.kind === 'kids')) &&
  /^ (?:do|does|are|is|can|how|what|when|why|should|will|may) /.test(text);

/**
 * Whether a sentence is about how well animals suit the customer: it names circumstances ("we both work"), asks for an animal with a
 * trait ("something quiet"), compares kinds, or asks for a verdict. "Do hamsters smell?" asks for knowledge only.
 */
export const isSuiting = perSentence((sentence: Sentence): boolean => {
  if (namesOwnAnimal(sentence) && kindsIn(sentence).length === 0 && !looksFor(sentence)) return false;
  if (sentence.items.some(({ concept }) => concept?.kind === 'pet')) return false;
  if (comparesKinds([sentence])) return true;
  const text = spacedWords(sentence.tokens);
  if (aspectsIn(sentence).length === 0)
    return (
      asksVerdict(sentence) &&
      / idea | silly | crazy | mad | stupid | daft | dumb | unrealistic | possible | sensible | realistic | advisable | should (?:i|we) | recommend | good (?:first |starter |family |indoor |house |beginner )(?:pet|pets|choice|fit) /.test(
        text,
      ) &&
      kindsIn(sentence).length > 0
    );
  if (isKnowledge(sentence, text)) return false;
  if (!sentence.isQuestion && !/^ (?:do|does|can|are|is|how|why|when|will|what) /.test(text)) return true;
  return VERDICT.test(text) || SEEKING.test(text) || CUSTOMER.test(text) || looksFor(sentence);
});

const looksFor = ({ items }: Sentence): boolean =>
  items.some(
    ({ concept, text }, at) => (concept?.kind === 'want' && (!OF_ANIMALS.test(text) || needsPet(items, at))) || concept?.kind === 'query',
  );
