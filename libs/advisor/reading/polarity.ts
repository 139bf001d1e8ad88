import type { Kind } from '../words/concept.js';
import type { Item } from './token.js';

/** Words that begin a new clause. A negation before such a word does not apply after the word. */
const NEW_CLAUSE: ReadonlySet<string> = new Set(
  'but however although though because since so then just only unless if when while i we she he they please instead'.split(' '),
);
const SUBJECTS: ReadonlySet<string> = new Set(['i', 'we', 'she', 'he', 'they', "i'd", "i'm", "we'd", "i've", 'my', 'our']);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the', 'some', 'maybe', 'perhaps']);

/** Kinds that a negation can apply to. */
const NEGATABLE: ReadonlySet<Kind> = new Set<Kind>([
  'species', 'breed', 'pet', 'stage', 'size', 'kids', 'gender', 'color', 'health', 'unrecorded', 'ordinal', 'pronoun', 'order', 'own', 'want', 'past', 'slot', 'animal', 'relative', 'bound', 'covering', 'symptom',
]); // prettier-ignore

const isNegatable = (item: Item | undefined): boolean => item !== undefined && item.concept !== null && NEGATABLE.has(item.concept.kind);

/** Whether the item negates what follows. An allergy excludes its cause: "allergic to cats". */
const negates = ({ concept }: Item): boolean => concept?.kind === 'negator' || (concept?.kind === 'symptom' && concept.opens);

/** Whether the list of negated things continues after a comma or an `and`: "no cats, birds or reptiles". */
const listContinues = (items: readonly Item[], at: number): boolean => {
  const next = items[at + 1];
  if (next?.text === 'or' || next?.text === 'and' || next?.text === 'nor') return true;
  if (/^(a|an)$/.test(next?.text ?? '')) return isListOfNouns(items, at);
  if (!isNegatable(next)) return false;
  const before = items.slice(0, at).findLast((item) => isNegatable(item) && item.concept?.kind === next?.concept?.kind);
  const after = items[at + 2];
  return before !== undefined && (after === undefined || after.text === ',' || after.text === 'or' || after.text === 'and');
};

/** Whether a list such as "don't want a dog, a cat or a bird" continues. "Not a dog, a cat or a bird" sets a cat against a dog. */
const isListOfNouns = (items: readonly Item[], at: number): boolean => {
  const negator = items.slice(0, at).findLast(({ concept }) => concept?.kind === 'negator');
  const after = items[at + 3]?.text ?? '';
  return !/^(not|no)$/.test(negator?.text ?? 'no') && isNegatable(items[at + 2]) && /^(,|or|and|nor)$/.test(after);
};

/**
 * Returns the positions of negations that cancel each other. In "nothing that isn't small", the negation in the relative
 * clause cancels the negation before it.
 */
const doubleNegations = (items: readonly Item[]): ReadonlySet<number> => {
  const cancelled = new Set<number>();
  let open: number | null = null;
  items.forEach(({ text, concept }, at) => {
    if (text === ',' || text === 'but') open = null;
    if (concept?.kind !== 'negator') return;
    if (open !== null && /^(that|which|who|anything|anyone)$/.test(items[at - 1]?.text ?? '')) {
      cancelled.add(open).add(at);
      open = null;
    } else open = at;
  });
  return cancelled;
};

/** Verbs between the cause of a symptom and the symptom: "cats make me sneeze", "fur sets off my asthma". */
const CAUSING =
  /^(make|makes|making|made|give|gives|giving|gave|give me|give us|gives me|set|sets|setting|trigger|triggers|triggering|triggered|cause|causes|causing|bring|brings|irritate|irritates|bother|bothers|affect|affects)$/;
const isCauseOf = ({ concept }: Item): boolean => /^(species|breed|stage|covering)$/.test(concept?.kind ?? '');
/** Whether an item ends the part of a sentence that can name the cause of a symptom. */
const endsCause = ({ text, concept }: Item): boolean =>
  /^(,|but|because|since|so|although|though|however|as)$/.test(text) || concept?.kind === 'want' || concept?.kind === 'symptom';

/** The positions of the animals of a list that ends at a position: "cat and dog allergies". */
const listBefore = (items: readonly Item[], end: number): readonly number[] => {
  const animals: number[] = [];
  for (let at = end; /^(species|breed|stage)$/.test(items[at]?.concept?.kind ?? ''); at -= 2) {
    animals.push(at);
    if (!/^(and|or|,)$/.test(items[at - 1]?.text ?? '')) break;
  }
  return animals;
};

/**
 * Returns the positions of animals that cause a symptom: "cats make me sneeze", "I sneeze when a dog is near". A lasting allergy
 * needs a verb such as "trigger", because "a dog for my allergic son" names no cause.
 */
const causesOfSymptoms = (items: readonly Item[]): ReadonlySet<number> => {
  const causes = new Set<number>();
  items.forEach(({ concept }, at) => {
    if (concept?.kind !== 'symptom' || concept.opens) return;
    const from = items.slice(0, at).findLastIndex(endsCause);
    const next = items.findIndex((item, nth) => nth > at && endsCause(item));
    const verb = items.slice(from + 1, at).findLastIndex(({ text }) => CAUSING.test(text));
    const isAttack = concept.of === 'attack';
    // "A cat allergy", "a cat hair allergy".
    const cause = items[at - 1]?.concept?.kind === 'covering' ? at - 2 : at - 1;
    if (concept.of === 'state') for (const one of listBefore(items, cause)) causes.add(one);
    if ((verb < 0 && !isAttack) || items.slice(from + 1, at).some((item) => item.concept?.kind === 'negator')) return;
    const end = isAttack && next >= 0 ? next : isAttack ? items.length : from + 1 + verb;
    for (let one = from + 1; one < end; one++) if (isCauseOf(items[one])) causes.add(one);
  });
  return causes;
};

const DROPPING = /^(forget|forget about|scrap|drop the|never mind the|ignore)$/;

/**
 * Whether a phrase such as "forget" negates the item after it. "Forget the cat" negates "cat". "Forget the size" negates nothing:
 * it means that any size is accepted.
 */
const isDropping = (items: readonly Item[], at: number): boolean => {
  if (items[at].concept?.kind !== 'indifference' || !DROPPING.test(items[at].text)) return false;
  const next = items.slice(at + 1, at + 4).find(({ text }) => !/^(the|that|those|about|a|any)$/.test(text));
  return /^(species|breed|stage|size|kids|color)$/.test(next?.concept?.kind ?? '');
};

/** Marks the items that a negation applies to. These are the items from the negation to the end of its clause. */
export const withPolarity = (items: readonly Item[]): readonly Item[] => {
  let isNegated = false;
  // Whether the negation has applied to an item other than "want" or "have". Before that, a comma ends the negation only if a
  // subject follows.
  let reached = false;
  const cancelled = doubleNegations(items);
  const causes = causesOfSymptoms(items);
  return items.map((item, at) => {
    const { concept } = item;
    if (cancelled.has(at)) return item;
    if (causes.has(at)) return { ...item, isNegated: true };
    if (isDropping(items, at)) {
      [isNegated, reached] = [true, false];
      return item;
    }
    if (negates(item)) {
      isNegated = !isAnswer(items, at);
      reached = false;
      return item;
    }
    if (!isNegated) return item;
    if (endsScope(items, at, reached)) isNegated = false;
    if (!isNegated || !isNegatable(item)) return item;
    reached ||= concept?.kind !== 'want' && concept?.kind !== 'own';
    return { ...item, isNegated: true };
  });
};

/** Whether "no" is an answer, and negates nothing: "No, a cat", "no I said birds". */
const isAnswer = (items: readonly Item[], at: number): boolean =>
  items[at].text === 'no' && (items[at + 1] === undefined || items[at + 1].text === ',' || SUBJECTS.has(items[at + 1].text));

/** Whether a mark separates what is wanted instead: "no dog at all: a bird", "not a cat - a rabbit", "no dog (a bird)". */
const isContrast = (items: readonly Item[], at: number): boolean =>
  /^[:()]$/.test(items[at].text) || (items[at].text === '-' && !/^\d/.test(items[at + 1]?.text ?? ''));

/** Whether a comma sets one thing against another: "not a dog, bird". "No dogs, birds" is a list. */
const isCorrected = (items: readonly Item[], at: number): boolean => {
  const negator = items.slice(0, at).findLastIndex(({ concept }) => concept?.kind === 'negator');
  return items[negator]?.text === 'not' && items[at + 2] === undefined && !items.slice(negator, at).some(({ text }) => text === ',');
};

/** Whether the clause of a negation ends at a position. */
const endsScope = (items: readonly Item[], at: number, reached: boolean): boolean => {
  const { text, concept } = items[at];
  if (concept?.kind === 'acceptance' || concept?.kind === 'correction' || concept?.kind === 'indifference') return true;
  // A comma before a subject begins a new clause: "I can't walk far, I want a calm cat."
  if (text === ',' && SUBJECTS.has(items[at + 1]?.text ?? '')) return true;
  if (reached && isContrast(items, at)) return true;
  if (text === ',') return reached && (!listContinues(items, at) || isCorrected(items, at));
  if (text === 'and') return reached && (ARTICLES.has(items[at + 1]?.text ?? '') || !listContinues(items, at));
  if (reached && (SUBJECTS.has(text) || concept?.kind === 'want')) return true;
  // In "I don't think we want a dog", "we" begins no new clause, because the negation has not applied to anything yet.
  return NEW_CLAUSE.has(text) && !(SUBJECTS.has(text) && !reached);
};
