import { isAnimal, namesOwnAnimal } from '../dialogue/own-animal.js';
import { REMARK_PATTERNS } from '../guide/remarks.js';
import { UNKNOWN_PATTERNS } from '../guide/store.js';
import { wishesIn } from '../suiting/descriptions.js';
import { ASPECT_PATTERNS } from '../suiting/aspect-words.js';
import { PET_WORDS } from '../words/animals.js';
import { FACT_BOOK, PURPOSE_BOOK, TOPIC_BOOK } from '../words/books.js';
import { isEverydayWord } from '../words/common-words.js';
import type { Sentence } from './sentence.js';
import { isOrdinaryWord } from './spelling.js';
import { spacedWords, type Token } from './token.js';
import { TOPIC_PATTERNS } from './topics-in.js';

/** The maximum number of parts of a message that an answer names as not understood, and of words of such a part. */
const MOST_PARTS = 2;
const MOST_WORDS = 3;
/** The minimum number of letters of a word that is named. */
const SHORTEST = 4;

/** The positions of the words that books of phrases know. */
const inBooks = (tokens: readonly Token[]): ReadonlySet<number> => {
  const read = new Set<number>();
  for (const book of [TOPIC_BOOK, FACT_BOOK, PURPOSE_BOOK])
    tokens.forEach((_, at) => {
      for (let nth = 0; nth < (book(tokens, at)?.length ?? 0); nth++) read.add(at + nth);
    });
  return read;
};

const PATTERNS: readonly RegExp[] = [
  ...[...TOPIC_PATTERNS, ...ASPECT_PATTERNS].map(([, pattern]) => pattern),
  ...UNKNOWN_PATTERNS,
  ...REMARK_PATTERNS,
];

/** The positions of the words that one of the patterns matches. */
const inPatterns = (tokens: readonly Token[]): ReadonlySet<number> => {
  const text = spacedWords(tokens);
  const read = new Set<number>();
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const from = text.slice(0, found.index + 1).split(' ').length - 2;
    const count = found[0].trim().split(' ').length;
    for (let nth = 0; nth < count; nth++) read.add(from + nth);
  }
  return read;
};

/** Whether a sentence asks or wishes something, so that each of its words counts. What people just tell needs no answer. */
const isAsking = (sentence: Sentence): boolean =>
  sentence.isQuestion ||
  (sentence.items.some(({ concept }) => concept?.kind === 'want' || concept?.kind === 'query' || isAnimal(concept)) &&
    !namesOwnAnimal(sentence));

/** Whether a sentence tells something of the people of the home that may matter: "my kid has ADHD". */
const tellsOfHome = (sentence: Sentence): boolean =>
  / (?:my|our) (?:[^ ]+ )?(?:kid|kids|son|daughter|child|children|wife|husband|partner|mother|father|mom|mum|dad|grandma|grandpa) (?:has|have|is|are|suffers?) /.test(
    spacedWords(sentence.tokens),
  );

/** The words of a sentence that no rule reads, as parts of neighbouring words. */
const unreadOf = (sentence: Sentence): readonly string[] => {
  const { tokens, items } = sentence;
  const known = new Set([...inBooks(tokens), ...inPatterns(tokens)]);
  const phrases = new Set(items.flatMap(({ concept, text }) => (concept === null ? [] : text.split(' '))));
  const isUnread = ({ word }: Token, at: number): boolean =>
    /^[a-z]+$/.test(word) &&
    !/([a-z])\1\1/.test(word) &&
    word.length >= SHORTEST &&
    !known.has(at) &&
    !phrases.has(word) &&
    !isOrdinaryWord(word) &&
    !isEverydayWord(word);
  const parts: string[][] = [];
  tokens.forEach((token, at) => {
    if (!isUnread(token, at)) return;
    const last = parts.at(-1);
    if (last && last.length < MOST_WORDS && isUnread(tokens[at - 1], at - 1)) last.push(token.text);
    else parts.push([token.text]);
  });
  return parts.length > 0 ? parts.map((words) => words.join(' ')) : clausesOf(sentence, known);
};

const CLAUSE =
  / (?:something|anything|pet|pets|animal|animals|one|ones|dog|dogs|cat|cats|bird|birds) (?:that|which|who|(?:that )?(?:i|we|you|my [a-z]+) can) ((?:[a-z']+ ){2,8})(?=[.,?!]|$|and |but )/;
const OF_CLAUSE = /^(want|own|pronoun|query|negator|other|with|addition|past|indifference)$/;

/** The clause that says what a pet must be or do, if no rule reads a word of it: "something I can take on the bus". */
const clausesOf = ({ tokens, items }: Sentence, known: ReadonlySet<number>): readonly string[] => {
  const text = spacedWords(tokens);
  const found = CLAUSE.exec(text);
  if (!found) return [];
  const words = found[1].trim().split(' ');
  const from = text.slice(0, found.index + found[0].length - found[1].length + 0).split(' ').length - 2;
  const isRead =
    words.some((_, nth) => known.has(from + nth)) ||
    wishesIn(found[1]).length > 0 ||
    items.some(({ concept, text: phrase }) => concept !== null && !OF_CLAUSE.test(concept.kind) && found[1].includes(`${phrase} `));
  return isRead ? [] : [words.slice(0, MOST_CLAUSE_WORDS).join(' ')];
};
const MOST_CLAUSE_WORDS = 6;

/**
 * Returns the parts of a message that no rule reads: words that are in no list of phrases and are no everyday words. The answer
 * names them, so that nothing is dropped in silence (contract 40.1). Without `isAll`, only those that ask or wish something.
 */
export const unreadIn = (sentences: readonly Sentence[], isAll = false): readonly string[] =>
  [...new Set(sentences.filter((one) => isAll || isAsking(one) || tellsOfHome(one)).flatMap(unreadOf))].slice(0, MOST_PARTS);

/** The words that a sentence asks for by "do you have a" and the like, if no rule reads any of them: "do you have a quokka". */
export const unreadNounIn = (sentences: readonly Sentence[]): string | null => {
  for (const sentence of sentences) {
    const { items, tokens } = sentence;
    if (items.some(({ concept }) => isAnimal(concept) || concept?.kind === 'animal' || concept?.kind === 'pet')) continue;
    // "A pet that fits in my handbag" asks for a pet.
    if (tokens.some(({ word }) => PET_WORDS.has(word) || /^(something|anything)$/.test(word))) continue;
    const [noun] = ASKS_FOR.test(spacedWords(tokens)) ? unreadOf(sentence) : [];
    if (noun !== undefined) return noun;
  }
  return null;
};

const ASKS_FOR =
  / (?:do|have|got|any|sell|is there|are there|want|looking for|need|like) (?:you |u |ya |yall |guys |got |have |sell |any |me |to |buy |get |adopt |)*(?:a |an |any |some |the |your )?[a-z]+(?: |$)/;
