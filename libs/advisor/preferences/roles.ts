import type { Kind } from '../words/concept.js';
import type { Item } from '../reading/token.js';
import { PET_WORDS } from '../words/animals.js';

/**
 * Why a sentence names an animal. `wanted`: the customer looks for it. `owned`: the customer has it. `past`: the customer had
 * it. `met`: the new pet will live with it.
 */
export type Role = 'wanted' | 'owned' | 'past' | 'met';

const ADJECTIVES: ReadonlySet<Kind> = new Set<Kind>(['size', 'stage', 'color', 'gender', 'unrecorded', 'health', 'breed', 'unit', 'order']);
const isAdjective = (item: Item): boolean =>
  (item.concept !== null && ADJECTIVES.has(item.concept.kind)) ||
  /^(\d+|two|three|four|a|an|the|other|another|very|and|or|,|any|most|some|remaining|only|current|poor|sweet|beloved|first|last)$/.test(
    item.text,
  );

/** The maximum distance in items between a cue, such as "want" or "my", and the animal after it. */
const REACH = 10;

/** What animals do, after the animal of the customer: "puppy keeps biting me", "cat won't eat". */
const DOES =
  /^(keeps|keep|won't|will not|doesn't|does not|doesnt|hasn't|isn't|has|just|started|starts|stopped|never|always|bites|bit|barks|pees|poops|scratches|cries|whines|hates|refuses|eats|sleeps|hides|growls|hisses|jumps|pulls|chews|digs|destroys|meows|screams|plucks|smells|limps|seems|looks|acts|wakes|attacks|chases|steals|nips|follows|licks|sneezes)$/;

/** Whether a sentence begins with an animal and with what it does. Such an animal is one of the customer, with "my" or without. */
export const isReported = (items: readonly Item[], at: number): boolean =>
  !/s$/.test(items[at].text) &&
  items.slice(0, at).every(({ text }) => /^(the|this|new|hi|hello|hey|help|so|ok|please|,)$/.test(text)) &&
  (DOES.test(items[at + 1]?.text ?? '') ||
    (items[at + 1]?.text === 'is' && /ing$|^(sick|ill|scared|afraid|aggressive)$/.test(items[at + 2]?.text ?? ''))) &&
  !items.some(
    ({ concept, text }) =>
      concept?.kind === 'query' || (concept?.kind === 'want' && /^(want|would like|looking for|i'd like|show me)$/.test(text)),
  );

/** Returns the role of the animal at a position. The nearest cue before the animal decides. Without a cue: `wanted`. */
export const roleAt = (items: readonly Item[], at: number): Role => {
  // "My neighbour's cat" is no cat of the customer, and nobody looks for it.
  if (
    /^(neighbour|neighbor|neighbours|neighbors|friend|sister|brother|uncle|aunt|cousin|boss|colleague|roommate|flatmate|girlfriend|boyfriend|mother|mum|mom|dad|father|grandma|grandpa|kid|son|daughter)$/.test(
      items[at - 1]?.text ?? '',
    ) &&
    /^(my|our|the|his|her)$/.test(items[at - 2]?.text ?? '')
  )
    return 'past';
  // "My son has a cat hair allergy": nobody has a cat.
  if (isCauseAt(items, at)) return 'wanted';
  if (isReported(items, at)) return 'owned';
  for (let before = at - 1; before >= Math.max(0, at - REACH); before--) {
    const { concept, text } = items[before];
    const between = items.slice(before + 1, at);
    const isAdjacent = between.every(isAdjective);
    if (concept?.kind === 'want' || concept?.kind === 'query') return 'wanted';
    if (concept?.kind === 'with' && isAdjacent && isMeeting(items, before)) return 'met';
    if (concept?.kind === 'past' && !between.some(endsHaving)) return isWantedAfter(items, at) ? 'wanted' : 'past';
    if (concept?.kind !== 'own') continue;
    // "Is it cruel to keep a single rabbit?" is about no rabbit of the customer.
    if (text === 'keep' && /^(to|can|could|should|you|people|i|we)$/.test(items[before - 1]?.text ?? '')) return 'wanted';
    // "What should I have at home before I bring a kitten home?"
    if (
      text === 'have' &&
      /^(should|must|do|shall|could|would)$/.test(items[before - 2]?.text ?? '') &&
      /^(i|we)$/.test(items[before - 1].text)
    )
      return 'wanted';
    // "Got a rabbit?" looks for a rabbit. "Got a cat, looking for a rabbit" says that the customer has a cat.
    if (text === 'got' && before === 0 && !items.some((item) => item.concept?.kind === 'want')) return 'wanted';
    if (isAdjacent && items[before - 1]?.concept?.kind === 'with') return 'met';
    if (/^(my|our|my other|our other)$/.test(text) ? isAdjacent : !between.some(endsHaving))
      return items.some((item) => item.concept?.kind === 'past') ? 'past' : 'owned';
  }
  return 'wanted';
};

/** Whether the animal at a position is the cause of a symptom: "cat hair allergy", "cat and dog allergies". */
const isCauseAt = (items: readonly Item[], at: number): boolean => {
  if (/^(covering|symptom)$/.test(items[at + 1]?.concept?.kind ?? '')) return true;
  const isList = /^(and|or|,)$/.test(items[at + 1]?.text ?? '') && /^(species|breed|stage)$/.test(items[at + 2]?.concept?.kind ?? '');
  return isList && isCauseAt(items, at + 2);
};

/** Whether "with" says what the new pet will meet: "a cat that is fine with dogs", but not "surprise my wife with a dog". */
const isMeeting = (items: readonly Item[], at: number): boolean =>
  !/^with( a)?$/.test(items[at].text) ||
  items.slice(0, at).some(({ text }) => /^(live|lives|living)$/.test(text)) ||
  items.slice(0, at).some(({ concept, text }) => /^(species|breed|stage|pet|pronoun)$/.test(concept?.kind ?? '') || PET_WORDS.has(text));

/** Whether the sentence wants an animal that the customer did not have before: "I never had a cat but I would like one." */
const isWantedAfter = (items: readonly Item[], at: number): boolean => {
  const want = items.findIndex(({ concept }, nth) => nth > at && concept?.kind === 'want');
  return want >= 0 && items.slice(want + 1, want + 3).some(({ text }) => /^(one|another|it)$/.test(text));
};

/** Whether an item after "have" or "had" shows that the customer has something other than the animal: "have $200 for a dog". */
const endsHaving = ({ text, concept }: Item): boolean =>
  text === 'for' ||
  text === ',' ||
  concept?.kind === 'symptom' ||
  concept?.kind === 'negator' ||
  concept?.kind === 'slot' ||
  concept?.kind === 'currency';

/** Whether the animal is only liked or accepted, which counts less than a clear want: "I love dogs but I want a cat" wants a cat. */
export const isOnlyLiked = (items: readonly Item[], at: number): boolean => {
  const cue = items
    .slice(Math.max(0, at - REACH), at)
    .findLast(({ concept }) => concept?.kind === 'want' || concept?.kind === 'acceptance');
  return cue !== undefined && (cue.concept?.kind === 'acceptance' || /^(like|love)$/.test(cue.text));
};

/** Nouns that an adjective may describe instead of the pet: "a small place". */
const NOT_PETS: ReadonlySet<string> = new Set(
  'people person man woman lady couple home place town village room space family enough bit more less time question help problem income garden lot amount job business'.split(
    ' ',
  ),
);
/** The maximum distance in items between an adjective and its noun. */
const ADJECTIVE_REACH = 5;

const isCue = ({ concept }: Item): boolean => concept?.kind === 'want' || concept?.kind === 'query';

/**
 * Whether the word at a position is about an animal that the customer has or had: "big" in "I have a Labrador (big boy)", and
 * "old" in "we had an old one before".
 */
export const isAboutAnotherAnimal = (items: readonly Item[], at: number): boolean => {
  const before = items.slice(items.slice(0, at).findLastIndex(isCue) + 1, at);
  if (before.some(({ concept }) => concept?.kind === 'past') && items[at + 1]?.text === 'one') return true;
  const from = at - before.length;
  return before.some(
    ({ concept }, nth) => (concept?.kind === 'species' || concept?.kind === 'breed') && roleAt(items, from + nth) === 'owned',
  );
};

/** Whether the adjective at a position describes the pet, not the customer's home, family or budget. */
export const describesPet = (items: readonly Item[], at: number): boolean => {
  const before = items.slice(Math.max(0, at - 3), at);
  const isOfCustomer = before.some(({ text }) => ["i'm", 'am', "we're", "i've"].includes(text)) && !before.some(isCue);
  if (isOfCustomer || isAboutAnotherAnimal(items, at)) return false;
  for (let next = at + 1; next <= at + ADJECTIVE_REACH && next < items.length; next++) {
    const { concept, text } = items[next];
    if (concept?.kind === 'species' || concept?.kind === 'breed') return roleAt(items, next) === 'wanted';
    if (concept?.kind === 'animal' || PET_WORDS.has(text)) return true;
    if (concept?.kind === 'kids' || (concept?.kind === 'unrecorded' && concept.trait === 'home') || NOT_PETS.has(text)) return false;
    if (concept?.kind === 'relative' || concept?.kind === 'slot') return concept.kind === 'slot' && concept.slot !== 'budget';
    if (!ADJECTIVES.has(concept?.kind ?? 'want') && !/^(and|or|,|but|very|quite)$/.test(text)) return true;
  }
  return true;
};
