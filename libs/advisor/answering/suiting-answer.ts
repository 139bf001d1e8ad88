import type { CataloguePet } from '../catalogue.js';
import { hasAllergy } from '../dialogue/allergy.js';
import { isCareQuestion } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { ASPECTS, type Rank, type Aspect } from '../kinds/aspects.js';
import { distinctKinds, breedsBy, kindNamed, notesOfKinds, type Kind } from '../kinds/kind.js';
import { isFactQuestion } from '../dialogue/sentence-kinds.js';
import { joined, unrecordedText } from '../wording/criteria.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import { GROWTH } from '../kinds/kind-texts.js';
import { spacedWords } from '../reading/token.js';
import { kindsOf, lowestRank } from '../suiting/fitness.js';
import { asksVerdict, comparesKinds, isSuiting, kindsOfAll } from '../suiting/suits.js';
import { aspectsIn } from '../suiting/aspects-in.js';

const VERDICTS: Readonly<Record<Rank, string>> = {
  0: 'I advise against it.',
  1: 'That is difficult.',
  2: 'It can work, on some conditions.',
  3: 'Yes, that usually works.',
};
/** The maximum number of sentences of the guide in an answer. */
const MOST_NOTES = 3;
const MOST_KINDS = 3;

const said = (notes: readonly string[]): string => `My guide says: ${[...new Set(notes)].join(' ')}`;

/** What the guide says about kinds for some aspects: what suits least comes first. */
const notesOf = (kinds: readonly Kind[], aspects: readonly Aspect[], limit: number): readonly string[] => {
  const pairs = aspects.flatMap((aspect) => kinds.map((kind) => ({ rank: kind.rank(aspect), note: kind.note(aspect) })));
  return [...new Set(pairs.toSorted((one, other) => one.rank - other.rank).map(({ note }) => note))].slice(0, limit);
};

/**
 * Says from the guide how well animals suit the customer (contract 40.5). `found` are the pets that the answer offers. Returns no
 * parts if the last message has nothing of the kind.
 */
export const suitingParts = (dialogue: Dialogue, found: readonly CataloguePet[], { isShort }: Style): readonly Part[] => {
  const read = dialogue.sentences.filter((one) => !isCareQuestion(one));
  const sentences = read.filter(isSuiting);
  const isNewKind = found.length > 0 && kindsOfAll(read).length > 0;
  if (sentences.length === 0 && !comparesKinds(read) && !isNewKind) return [];
  const named = sentences.flatMap(aspectsIn);
  // The guide's page on allergies is the verdict for somebody with an allergy.
  const isVerdict = sentences.some(asksVerdict) && !dialogue.sentences.some(hasAllergy);
  const aspects = [...new Set(named.length > 0 ? named : remembered(dialogue, isVerdict))];
  const kinds = namedKinds(dialogue);
  const limit = isShort ? 2 : MOST_NOTES;
  // "Golden retriever or Labrador, whichever is cheaper" compares prices of the catalogue, not kinds.
  const isByCatalogue =
    aspects.length === 0 && read.some(({ items }) => items.some(({ concept }) => /^(order|relative)$/.test(concept?.kind ?? '')));
  if (isByCatalogue) return [];
  if (kinds.length > 1 && comparesKinds(dialogue.sentences)) {
    const compared = kinds.slice(0, MOST_KINDS);
    if (asksDifference(dialogue.tokens)) return [textPart(differenceText(compared, aspects))];
    return [textPart(aspects.length > 0 ? comparisonText(compared, aspects) : said(compared.map(({ summary }) => summary)))];
  }
  if (kinds.length > 0 && aspects.length === 0) return summaries(kinds, isVerdict);
  if (kinds.length > 0) return [...textParts(verdictText(kinds, aspects, isVerdict, limit)), ...breedParts(dialogue, kinds[0], aspects)];
  const text = aspects.length > 0 ? foundText(wholeKinds(found).slice(0, MOST_KINDS), aspects, dialogue, limit) : '';
  return textParts(text);
};

/** The maximum number of breeds that an answer names. */
const MOST_BREEDS = 5;

/** Names the breeds that suit best, if the last message asks for breeds. */
const breedParts = ({ tokens }: Dialogue, kind: Kind, aspects: readonly Aspect[]): readonly Part[] => {
  if (!tokens.some(({ word }) => /^(breed|breeds|race|races)$/.test(word)) || aspects.length === 0) return [];
  const best = breedsBy(kind, aspects).slice(0, MOST_BREEDS);
  return best.length === 0 ? [] : [textPart(`Breeds that usually suit this best are ${joined(best.map(({ many }) => many))}.`)];
};

const textParts = (text: string): readonly Part[] => (text === '' ? [] : [textPart(text)]);

/** What the guide says about the kinds of pets that the last message asks about: "does he like to be held?" */
export const petNotes = ({ sentences }: Dialogue, pets: readonly CataloguePet[]): readonly Part[] => {
  const asking = sentences.filter(({ isQuestion, tokens }) => isQuestion || ASKS.test(tokens[0]?.word ?? ''));
  // The catalogue states whether a pet is good with children.
  const aspects = [...new Set(asking.flatMap(aspectsIn))].filter((aspect) => aspect !== 'child' && aspect !== 'toddler');
  const kinds = kindsOf(pets);
  return aspects.length === 0 || kinds.length === 0 || kinds.length > 2 ? [] : [textPart(said(notesOf(kinds, aspects, 2)))];
};
const ASKS = /^(is|does|can|could|would|will|do|are)$/;

/** The same for pets that the message means by a pronoun, if it asks for no field of the catalogue: "do they scratch?" */
export const pointedNotes = (dialogue: Dialogue): readonly Part[] => {
  const { sentences, referred } = dialogue;
  const asking = sentences.filter(isFactQuestion);
  if (referred.pointed.length === 0 || asking.length === 0) return [];
  const traits = asking.flatMap(({ items }) => items.flatMap(({ concept }) => (concept?.kind === 'unrecorded' ? [concept.trait] : [])));
  const unknown = unrecordedText([...new Set(traits)]);
  return [...petNotes(dialogue, referred.pointed), ...textParts(unknown ?? '')];
};

/** What earlier messages said of the home. Without a question, only what the kinds do not suit is worth a repetition. */
const remembered = ({ before, preferences, sentences }: Dialogue, isVerdict: boolean): readonly Aspect[] =>
  isVerdict ? preferences.aspects : before.aspects.filter((aspect) => kindsOfAll(sentences).some((kind) => kind.rank(aspect) < 2));

/** The kinds of pets, with dogs and cats as a whole. */
const wholeKinds = (pets: readonly CataloguePet[]): readonly Kind[] =>
  kindsOf(pets.map((pet) => ({ ...pet, ...(/^(DOG|CAT)$/.test(pet.species) && { breed: undefined }) })));

/** The kinds that the last message names, or that the conversation is about: the wanted breed or species. */
const namedKinds = ({ sentences, preferences: { species, breeds } }: Dialogue): readonly Kind[] => {
  const named = kindsOfAll(sentences);
  if (named.length > 0) return named;
  const wanted = species.flatMap((one) => {
    const ofBreed = breeds.flatMap((breed) => kindNamed(one, breed) ?? []);
    return ofBreed.length > 0 ? ofBreed : (kindNamed(one, undefined) ?? []);
  });
  return distinctKinds(wanted);
};

const summaries = (kinds: readonly Kind[], isVerdict: boolean): readonly Part[] =>
  isVerdict ? [textPart(`That depends on your home and your time. ${said(kinds.slice(0, MOST_KINDS).map(({ summary }) => summary))}`)] : [];

/** Aspects of which even a kind that suits well has a limit to name. */
const TOLD: ReadonlySet<Aspect> = new Set<Aspect>(['talks', 'coat', 'walks', 'pair', 'senior', 'guards']);

const verdictText = (kinds: readonly Kind[], aspects: readonly Aspect[], isVerdict: boolean, limit: number): string => {
  const [kind] = kinds;
  const told = isVerdict ? aspects : aspects.filter((aspect) => TOLD.has(aspect) || kinds.some((one) => one.rank(aspect) < 3));
  if (told.length === 0) return '';
  const notes = said(notesOf(kinds, told, limit));
  return isVerdict && kinds.length === 1 ? `${VERDICTS[lowestRank(kind, aspects)]} ${notes}` : notes;
};

/** Whether a message asks what distinguishes kinds: "what is the difference between a cat and a dog". */
const asksDifference = (tokens: Dialogue['tokens']): boolean =>
  / (?:difference|differences|differ|differs|different|compare|comparison|versus|vs) /.test(spacedWords(tokens));

/** What a comparison of kinds looks at, after size and lifespan, and how it names that. */
const DIFFERENCES: readonly (readonly [label: string, aspect: Aspect])[] = [
  ['sound', 'quiet'],
  ['care', 'effort'],
  ['exercise', 'walks'],
  ['costs', 'costs'],
  ['company', 'pair'],
  ['handling', 'cuddly'],
  ['when awake', 'day'],
  ['coat', 'coat'],
  ['grooming', 'grooming'],
  ['for beginners', 'easy'],
];
/** The maximum number of aspects that a comparison of kinds names. */
const MOST_DIFFERENCES = 3;

/** Compares kinds by size, lifespan, and the aspects in which they differ most. The aspects that the message names come first. */
const differenceText = (kinds: readonly Kind[], named: readonly Aspect[]): string => {
  const spread = (aspect: Aspect): number => {
    const ranks = kinds.map((kind) => kind.rank(aspect));
    return Math.max(...ranks) - Math.min(...ranks) + (named.includes(aspect) ? 4 : 0);
  };
  const rows = DIFFERENCES.filter(([, aspect]) => spread(aspect) > 0)
    .toSorted(([, one], [, other]) => spread(other) - spread(one))
    .slice(0, MOST_DIFFERENCES);
  const row = (label: string, notes: readonly (string | undefined)[]): readonly string[] => {
    const different = [...new Set(notes.filter((note) => note !== undefined))];
    return different.length < 2 ? [] : [`- ${label}: ${different.join(' ')}`];
  };
  const lives = row(
    'lifespan',
    kinds.map((kind) => kind.note('longLife')),
  );
  const sizes = row(
    'size',
    kinds.map(({ base }) => GROWTH[base]),
  );
  const others = rows.flatMap(([label, aspect]) =>
    row(
      label,
      kinds.map((kind) => kind.note(aspect)),
    ),
  );
  const isDecided = named.some((aspect) => new Set(kinds.map((kind) => kind.rank(aspect))).size > 1);
  const verdict = isDecided ? `${verdictOf(kinds, named)} ` : '';
  const lines = [...sizes, ...lives, ...others];
  const portraits = kinds.every((kind) => kind.name !== kind.base && kind.base === kinds[0].base);
  // Breeds of one species are told apart by what they were bred for.
  if (portraits) return `${verdict}${said([...kinds.map(({ summary }) => summary), ...notesOf(kinds, named, MOST_NOTES)])}`;
  return lines.length === 0
    ? `${verdict}${said(kinds.map(({ summary }) => summary))}`
    : `${verdict}My guide says how they differ:\n${lines.join('\n')}`;
};

/** Says which of the kinds is better in the first aspect in which they differ. */
const verdictOf = (kinds: readonly Kind[], aspects: readonly Aspect[]): string => {
  const aspect = decisive(kinds, aspects);
  const best = kinds.toSorted((one, other) => other.rank(aspect) - one.rank(aspect));
  if (best[0].rank(aspect) === best[1].rank(aspect)) return 'The guide sees no clear winner here.';
  return `${kinds.length === 2 ? 'Of the two' : 'Of these'}, the ${best[0].name} ${ASPECTS[aspect].better}.`;
};

const decisive = (kinds: readonly Kind[], aspects: readonly Aspect[]): Aspect =>
  aspects.find((one) => new Set(kinds.map((kind) => kind.rank(one))).size > 1) ?? aspects[0];

/** Compares kinds, aspect by aspect. */
const comparisonText = (kinds: readonly Kind[], aspects: readonly Aspect[]): string =>
  `${verdictOf(kinds, aspects)} ${said(notesOf(kinds, [...new Set([decisive(kinds, aspects), ...aspects])].slice(0, 2), MOST_NOTES + 1))}`;

/** Aspects for which it is worth saying why dogs or cats are left out. */
const LEFT_OUT: ReadonlySet<Aspect> = new Set<Aspect>(['away', 'cats', 'dogs', 'small', 'plants', 'nolive', 'cage', 'nowalks', 'travel']);

/** Says how the kinds that are offered suit, and why dogs or cats were left out. */
const foundText = (kinds: readonly Kind[], aspects: readonly Aspect[], { preferences }: Dialogue, limit: number): string => {
  const fitting = aspects.flatMap((aspect) => {
    const suited = kinds.filter((kind) => kind.rank(aspect) >= 2);
    return notesOfKinds(suited.length > 0 || /Life$/.test(aspect) ? (suited.length > 0 ? suited : kinds) : kinds, aspect);
  });
  const isOpen = preferences.species.length === 0;
  const left = (['DOG', 'CAT'] as const).filter(
    (one) => isOpen && !preferences.notSpecies.includes(one) && !kinds.some(({ species }) => species === one),
  );
  const reasons = left.flatMap((one) => {
    const kind = kindNamed(one, undefined);
    const worst = kind && aspects.find((aspect) => kind.rank(aspect) === 0 && LEFT_OUT.has(aspect));
    return kind && worst ? [kind.note(worst)] : [];
  });
  const notes = [...new Set([...fitting.slice(0, limit), ...reasons.slice(0, 1)])];
  return notes.length === 0 ? '' : said(notes);
};
