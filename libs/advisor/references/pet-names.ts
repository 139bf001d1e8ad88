import type { CataloguePet } from '../catalogue.js';
import { isCapitalised, isWord, tokensOf, type Token } from '../reading/token.js';
import { headline } from '../wording/pet-facts.js';
import { PREFERENCE_BOOK } from '../words/books.js';
import { isCommonWord } from '../words/common-words.js';
import type { PhraseBook } from '../words/phrases.js';
import { phraseBook } from '../words/phrases.js';

/** Words that may come before a name. After one of them, a lower-case word of a preference can be a name. */
const NAME_CUES: ReadonlySet<string> = new Set(
  'about saw see seen named called meet not vs versus compare is does than and or of for with has feed like want take adopt love to , offer me only but'.split(
    ' ',
  ),
);

/** An unusual word in lower case can be a name, but not after one of these words. */
const NO_NAME_CUES: ReadonlySet<string> = new Set(['a', 'an', 'any', 'some', 'no', 'more', 'another', 'these', 'those']);

/** The pets that a conversation names, as the catalogue has them when the answer is made. */
export type KnownPets = {
  /** Finds the name of a pet at a position. If no name is there, it finds a phrase of a preference. */
  readonly book: PhraseBook;
  /** The words of all names, in lower case. */
  readonly words: ReadonlySet<string>;
  /** Returns the pets with a name. The name is in the form of the concept `pet`: its words in lower case. */
  readonly withName: (name: string) => readonly CataloguePet[];
  /** Returns the pets that a text of the advisor names, in the order of the text. */
  readonly in: (text: string, tokens: readonly Token[]) => readonly CataloguePet[];
};

const keyOf = (name: string): string =>
  tokensOf(name)
    .map(({ word }) => word)
    .join(' ');

/** Makes the pets of a conversation findable by their names. If `mistyped` is given, it means all of these pets, too. */
export const knownPets = (pets: readonly CataloguePet[], mistyped?: string): KnownPets => {
  const byName = Map.groupBy(pets, ({ name }) => keyOf(name));
  if (mistyped !== undefined && pets.length > 0) byName.set(keyOf(mistyped), [...pets]);
  const names = phraseBook([...byName.keys()].map((name) => [name, { kind: 'pet', name }] as const));
  const book: PhraseBook = (tokens, at) => {
    const found = names(tokens, at);
    return found && isName(tokens, at) ? found : PREFERENCE_BOOK(tokens, at);
  };
  const withName = (name: string): readonly CataloguePet[] => byName.get(name) ?? [];
  const words = new Set([...byName.keys()].flatMap((name) => name.split(' ')));
  return { book, words, withName, in: (text, tokens) => petsIn(text, tokens, names, withName) };
};

/** Adds the pets that a mistyped name means. */
export const withMistyped = (known: KnownPets, meant: KnownPets): KnownPets => ({
  book: (tokens, at) => {
    const found = meant.book(tokens, at);
    return found?.concept.kind === 'pet' ? found : known.book(tokens, at);
  },
  words: new Set([...known.words, ...meant.words]),
  withName: (name) => (meant.withName(name).length > 0 ? meant.withName(name) : known.withName(name)),
  in: known.in,
});

/**
 * Whether the word at a position can be a name. "Max" with a capital can be a name. "max" is also a word of a budget, so it
 * can be a name only after a word such as "about". An unusual word such as "rex" can be a name, unless "a" or the like comes before it.
 */
const isName = (tokens: readonly Token[], at: number): boolean => {
  const token = tokens[at];
  const isOrdinary = isCommonWord(token.word) || PREFERENCE_BOOK(tokens, at) !== null;
  const previous = tokens[at - 1];
  if (!isOrdinary) return isCapitalised(token) || !NO_NAME_CUES.has(previous?.word ?? '');
  // A capital alone does not make a name: "Max 500" is a budget, and every sentence begins with a capital.
  const isFirst = !previous || !(isWord(previous) || /[,\d]/.test(previous.word));
  const isBeforeNumber = /^[\d$€£¥]/.test(tokens[at + 1]?.word ?? '') || /^[\d$€£¥]/.test(tokens[at + 2]?.word ?? '');
  if (isCapitalised(token)) return !isBeforeNumber && (!isFirst || isCapitalisedName(tokens, at));
  // "Is max still there?"
  if (ASKS_STATUS.test(previous?.word ?? '') && STATUS_FOLLOWS.test(tokens[at + 1]?.word ?? '')) return true;
  // A lower-case word of a preference is a name only near the end of a message: "tell me about max".
  return !isBeforeNumber && NAME_CUES.has(previous?.word ?? '') && !isCommonWord(token.word) && tokens.length <= at + 3;
};

const ASKS_STATUS = /^(is|was|has|did|about)$/;
const STATUS_FOLLOWS = /^(still|available|there|gone|sold|taken|adopted|reserved|been|left)$/;

/** Whether the capitalised first word of a sentence is a name: nothing, a mark, or a word such as "is" or "or" follows. */
const isCapitalisedName = (tokens: readonly Token[], at: number): boolean => {
  const next = tokens[at + 1]?.word;
  return next === undefined || /^([?!.,]|is|was|looks|sounds|seems|or|and|vs|versus|then)$/.test(next);
};

/**
 * Returns the pets that a text of the advisor names. If several pets share a name, returns those whose headline, such as
 * "Luna, 2 years old, Beagle (dog)", is in the text. If the text has none of their headlines, returns all of them.
 */
const petsIn = (text: string, tokens: readonly Token[], names: PhraseBook, withName: KnownPets['withName']): readonly CataloguePet[] => {
  const found = new Map<string, CataloguePet>();
  for (let at = 0; at < tokens.length;) {
    const match = isCapitalised(tokens[at]) ? names(tokens, at) : null;
    if (match?.concept.kind === 'pet') {
      const same = withName(match.concept.name);
      const stated = same.filter((pet) => text.includes(headline(pet)));
      for (const pet of stated.length > 0 ? stated : same) found.set(pet.id, pet);
    }
    at += match?.length ?? 1;
  }
  const pets = [...found.values()];
  const isShared = new Set(pets.map(({ name }) => name)).size < pets.length;
  // All pets that share a name are found at its first place. Their headlines show the place of each.
  const placeOf = (pet: CataloguePet): number => text.indexOf(headline(pet));
  return isShared && pets.every((pet) => placeOf(pet) >= 0) ? pets.toSorted((one, other) => placeOf(one) - placeOf(other)) : pets;
};
