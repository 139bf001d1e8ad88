import type { Catalogue, CataloguePet } from '../catalogue.js';
import { isCapitalised, isWord, type Token } from '../reading/token.js';
import { isEverydayWord } from '../words/common-words.js';
import { isOrdinaryWord } from '../reading/spelling.js';

/** Words after which a customer names a pet: "called", "tell me about". */
const CUES: ReadonlySet<string> = new Set(['named', 'called', 'name']);
const ABOUT: ReadonlySet<string> = new Set([
  'about',
  'meet',
  'adopt',
  'reserve',
  'is',
  'does',
  'was',
  'has',
  'pet',
  'and',
  'or',
  'than',
  'see',
  'take',
  'buy',
  'want',
  'to',
  'of',
  'for',
]);
const SKIPPED: ReadonlySet<string> = new Set([
  'is',
  'was',
  'something',
  'like',
  'the',
  'a',
  '"',
  ',',
  ':',
  'pet',
  'dog',
  'cat',
  'rabbit',
  'bird',
  'still',
  'maybe',
]);
/** The shortest name that may be a mistyped one. */
const SHORTEST = 4;
const MOST_WORDS = 4;

/** Words after a name in a question about a pet: "is Rex still there", "Rex is cute". */
const AFTER =
  /^(still|available|there|gone|sold|taken|adopted|reserved|a|an|good|vaccinated|ok|is|has|and|or|\?|vs|cost|old|free|here|neutered|spayed|friendly|male|female|like|get|\.|!)$/;

/** Returns the name that begins at a position: one word in lower case, or several words with capitals. */
const nameAt = (tokens: readonly Token[], at: number): string | null => {
  const first = tokens[at];
  if (!first || !isWord(first)) return null;
  const words = [first.text];
  if (isCapitalised(first))
    for (let next = at + 1; next < tokens.length && words.length < MOST_WORDS; next++) {
      const isPart =
        isCapitalised(tokens[next]) || (/^(the|of|von|van|de|mc)$/.test(tokens[next].word) && isCapitalised(tokens[next + 1] ?? first));
      if (!isWord(tokens[next]) || !isPart) break;
      words.push(tokens[next].text);
    }
  return words.join(' ').replace(/'s$/i, '');
};

/**
 * Returns the name of a pet that a message asks for and that is not in `names`, the words of the names that were found. Returns null
 * if the message asks for no pet by name.
 */
export const soughtName = (tokens: readonly Token[], names: ReadonlySet<string>): string | null => {
  for (const [at, { word }] of tokens.entries()) {
    const isCue = CUES.has(word) && !/^(my|your|our|his|her|its|a|the|what)$/.test(tokens[at - 1]?.word ?? '');
    if (!isCue && !ABOUT.has(word)) continue;
    let next = at + 1;
    while (isCue && SKIPPED.has(tokens[next]?.word ?? '')) next++;
    const token = tokens[next];
    if (!token || !isWord(token) || names.has(token.word)) continue;
    const isStrange = !isOrdinaryWord(token.word) && (isCapitalised(token) || !isEverydayWord(token.word));
    if (isCue && (isStrange || isCapitalised(token))) return nameAt(tokens, next);
    const isBeforeFact = AFTER.test(tokens[next + 1]?.word ?? '.');
    const mayBeLower = isCapitalised(token) || !/^(adopt|reserve|see|meet|take|buy|want)$/.test(word);
    if (isStrange && mayBeLower && isBeforeFact && isAskedFor(tokens, at) && token.word.length >= SHORTEST - 1) return nameAt(tokens, next);
  }
  return null;
};

/** Whether the word before a name asks for a pet: "is Rex still there" at the start of a sentence, or "tell me about Rex". */
const isAskedFor = (tokens: readonly Token[], at: number): boolean =>
  /^(about|meet|adopt|reserve|see|pet)$/.test(tokens[at].word) ||
  (/^(is|does|was|has)$/.test(tokens[at].word) &&
    (at === 0 || /^([.?!,;]|and|so|hi|hello|hey|old|much|how|where|who|ok|but)$/.test(tokens[at - 1].word)));

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns the spellings that differ from a word in one place: a letter more, less or other, or two letters exchanged. */
export const nearSpellings = (name: string): readonly string[] => {
  const word = name.toLowerCase();
  if (word.length < SHORTEST || word.length > 20 || !/^[a-z]+$/.test(word)) return [];
  const places = Array.from({ length: word.length + 1 }, (_, at) => at);
  return [
    ...new Set(
      places.flatMap((at) => {
        const [start, end] = [word.slice(0, at), word.slice(at)];
        return [
          ...(end === '' ? [] : [start + end.slice(1)]),
          ...(end.length < 2 ? [] : [start + end[1] + end[0] + end.slice(2)]),
          ...[...LETTERS].flatMap((letter) => [start + letter + end, ...(end === '' ? [] : [start + letter + end.slice(1)])]),
        ];
      }),
    ),
  ].filter((one) => one !== word);
};

/** The maximum number of names that one read of the catalogue looks up. */
const NAMES_PER_READ = 50;

/** Returns the pets whose name is close to a name that no pet has. */
export const petsNamedLike = async (name: string, catalogue: Catalogue): Promise<readonly CataloguePet[]> => {
  const spellings = nearSpellings(name);
  for (let at = 0; at < spellings.length; at += NAMES_PER_READ) {
    const found = await catalogue.named(spellings.slice(at, at + NAMES_PER_READ));
    if (found.length > 0) return found.filter((pet) => pet.name === found[0].name);
  }
  return [];
};
