import type { Item } from '../reading/token.js';
import type { Concept } from '../words/concept.js';
import { PET_WORDS } from '../words/animals.js';
import { isNumeric, unitAfter, countOf } from '../preferences/number-context.js';
import { textOf } from '../reading/sentence.js';

const PERSON =
  /^(i|i'm|im|am|i've|me|my|we're|mum|mom|mommy|mummy|mother|dad|daddy|father|husband|wife|partner|boyfriend|girlfriend|bf|gf|fiance|brother|sister|sis|bro|grandma|grandmother|granny|gran|nan|nana|grandpa|grandad|granddad|grandfather|aunt|uncle|niece|nephew|cousin|friend|roommate|neighbour|neighbor|lady|man|woman|person|people|boy|girl|myself|widow|widower|pensioner|grandparent|couple|turns|turning|turned)$/;
/** The words that may come between a person and the age of the person. */
const BETWEEN =
  /^(is|are|am|was|at|age|aged|ages|only|just|about|around|almost|nearly|now|already|both|and|or|,|\(|-|:|who|turns|turning|turned|a|an|very|young|old|years|year|girl|boy|so|he|she|they|the|is almost|one|youngest|oldest|other|of|soon)$/;
const LONG_LIVED = /^(tortoise|tortoises|turtle|turtles|parrot|parrots|macaw|macaws|cockatoo|cockatoos|african grey|hermann tortoise)$/;
/** No pet but a tortoise or a large parrot is older, in years. */
const OLDEST_PET = 25;

const isPetLike = ({ concept, text }: Item): boolean =>
  /^(species|breed|stage|animal|pet)$/.test(concept?.kind ?? '') || (PET_WORDS.has(text) && !/^(boy|girl|guy|friend)$/.test(text));
/** Whether an item names a person, or the customer: "my mum", "I'm". */
export const isPerson = ({ concept, text }: Item): boolean => concept?.kind === 'kids' || PERSON.test(text);
const isUnit = (concept: Concept | null): boolean => concept?.kind === 'unit';

/** The years of a number that is probably an age, or null. */
const yearsAt = (items: readonly Item[], at: number): number | null => {
  const count =
    isNumeric(items[at]) || (isUnit(items[at + 1]?.concept ?? null) && !/^(a|an)$/.test(items[at].text)) ? countOf(items[at].text) : null;
  return count === null || count > 110 ? null : (count * (unitAfter(items, at) ?? 12)) / 12;
};

/** Whether the number at a position is the age of a person: "my son is 6", "I am 8", "for a 6 year old", "she is 74". */
export const isAgeOfPerson = (items: readonly Item[], at: number): boolean => {
  const years = yearsAt(items, at);
  if (years === null || items[at + 1]?.concept?.kind === 'currency' || items[at - 1]?.concept?.kind === 'currency') return false;
  // "My budget is 80"
  if (items.slice(Math.max(0, at - 4), at).some(({ concept }) => concept?.kind === 'slot' && concept.slot === 'budget')) return false;
  const after = items
    .slice(at + 1, at + 5)
    .filter(({ concept, text }) => !isUnit(concept) && !isNumeric({ concept, text, isNegated: false }));
  const next = after.find(({ text }) => !/^(and|or|,|-|\)|old)$/.test(text));
  // "2 kids" is a number of kids.
  if (next?.concept?.kind === 'kids') return unitAfter(items, at) !== undefined;
  if (items[at + 1] && isPetLike(items[at + 1])) return false;
  if (next && isPetLike(next) && unitAfter(items, at) !== undefined) return false;
  if (unitAfter(items, at) !== undefined && years > OLDEST_PET && !items.some(({ text }) => LONG_LIVED.test(text))) return true;
  let before = at - 1;
  while (before >= 0 && (BETWEEN.test(items[before].text) || isNumeric(items[before]) || isUnit(items[before].concept))) before--;
  const nearest = items[before];
  // "I want 3 dogs" has no age, and in "I am 8" the number is one.
  if (nearest && isPerson(nearest) && isStated(items, before, at)) return true;
  // "He is 76": no pet is that old.
  if (
    /^(he|she|is|i'm|im|am|was)$/.test(items[at - 1]?.text ?? '') &&
    unitAfter(items, at) === undefined &&
    years > OLDEST_PET &&
    items.length > 1
  )
    return true;
  const isFor =
    /^(for|with|by|around|suits|to|(with|around|for) (my|our)|my|our)$/.test(nearest?.text ?? '') ||
    nearest?.concept?.kind === 'with' ||
    nearest?.concept?.kind === 'own';
  // "For 12 years" is a time.
  return isFor && items.slice(at + 1, at + 4).some(({ concept, text }) => isUnit(concept) && /old|yo$|y$/.test(text));
};

/** Whether words such as "is" or a unit show that the number after a person is an age. */
const isStated = (items: readonly Item[], person: number, at: number): boolean => {
  const between = items.slice(person + 1, at);
  return (
    unitAfter(items, at) !== undefined ||
    /^(i'm|im|am|turns|turning|turned)$/.test(items[person].text) ||
    between.some(({ text }) => /^(is|are|am|aged|age|ages|\(|turns|turning|turned)$/.test(text)) ||
    (items[person].concept?.kind === 'kids' && (person === at - 1 || /^(,|\(|and|aged|$)/.test(items[at - 1]?.text ?? '')))
  );
};

/** Returns the ages of people in years that a sentence states. */
export const agesOfPeople = (items: readonly Item[]): readonly number[] =>
  items.flatMap((_, at) => {
    const years = yearsAt(items, at);
    return years !== null && isAgeOfPerson(items, at) ? [years] : [];
  });

/** Whether "baby" is a child: "a baby on the way", "our baby". "A baby rabbit", "we want a baby" and "baby" alone are pets. */
export const isBabyOfPeople = (items: readonly Item[], at: number): boolean => {
  if (!/^(baby|babies|newborn)$/.test(items[at].text) || items.length < 3) return false;
  if (items.slice(at + 1, at + 3).some(isPetLike)) return false;
  const before = items.slice(Math.max(0, at - 2), at);
  return !before.some(
    (item) => isPetLike(item) || item.concept?.kind === 'want' || item.concept?.kind === 'query' || item.concept?.kind === 'negator',
  );
};

/** Whether no child can live with the pet: "I live alone". */
export const livesAlone = (items: readonly Item[]): boolean =>
  !items.some((item, at) => isPetLike(item) && /^(live|lives|living)/.test(items[at + 1]?.text ?? '')) &&
  / (?:live|living|lives) (?:all )?(?:alone|on (?:my|his|her) own|by (?:my|him|her)self) | care home | nursing home | just me (?:and|in|here) /.test(
    textOf(items),
  );

/** Whether the sentence says that the children have left: "The kids have moved out, no children any more." */
export const haveLeft = (items: readonly Item[]): boolean =>
  / (moved out|left home|flown the nest) /.test(textOf(items)) ||
  (/ (any more|anymore|after all|no longer) /.test(textOf(items)) &&
    items.some(({ concept, isNegated }) => concept?.kind === 'kids' && isNegated));

const OWN_CHILDHOOD = / (?:as a|when i was|since i was|i was) (?:a |still a |just a )?(?:little |small |young )?(?:kid|child|boy|girl) /;

/** Whether a word for children means a child, or somebody grown up: "as a child I had a rabbit", the son of a person of 81. */
export const kidsOf = (items: readonly Item[], at: number): 'child' | 'grown' => {
  const isOfOldPerson = /^(son|sons|daughter|daughters)$/.test(items[at].text) && agesOfPeople(items).some((years) => years >= 60);
  return isOfOldPerson || OWN_CHILDHOOD.test(textOf(items)) ? 'grown' : 'child';
};
