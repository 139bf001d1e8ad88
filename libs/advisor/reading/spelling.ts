import { isCapitalised, tokensOf, type Token } from './token.js';
import { PREFERENCE_PHRASES } from '../words/books.js';
import { isCommonWord, isEverydayWord } from '../words/common-words.js';
import { PURPOSES } from '../words/purposes.js';
import { FACTS, STORE_TOPICS, TOPICS } from '../words/topics.js';

const KNOWN: ReadonlySet<string> = new Set(
  [...PREFERENCE_PHRASES, ...STORE_TOPICS, ...TOPICS, ...FACTS, ...PURPOSES].flatMap(([texts]) => tokensOf(texts).map(({ word }) => word)),
);
/** The minimum number of letters of a word that a mistyped word can mean. Shorter words resemble too many others. */
const SHORTEST_MEANT = 5;
/** The minimum number of letters of a mistyped word with a capital. A shorter one is probably a name. */
const SHORTEST_CAPITALISED = 7;
const BY_LETTER: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [...KNOWN].filter((word) => /^[a-z]+$/.test(word) && word.length >= SHORTEST_MEANT),
  (word) => word[0],
);

/** Frequent words that resemble a phrase and mean something else. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  `bedroom bedrooms bathroom funding create stars caches cases stuff nature block stack bytes caching apple trailing contract contact patent stating replay tracing fixes decode stripped stats states packed compute signing threat timers signs
  marking hints pills pulls drank drunk chick chicks batter breathe letter letters saying stick sticks smell smells smelly stuck truck sells shops timed boxes tried starving police shopping trick strange stranger strangle scare scared balls
  hopping coins hardly broke broken clean cleaner shake shakes shaking found sound bound mound wound pound round mouth month south north earth heart heard hears bears beard board boards bored bird birth berth worth world word
  write writes white while whole hotel hostel honey money monkey pushy party parts pants plant plants paint point print price prize pride bride brush crush crash trash track trace trade train brain grain drain chain chair hair
  store story stove stone stare start smart small smell snail snake snack sneak speak spike spoke smoke sweet sweat swear share shape shade shame shave shine shift shirt shoes shore short shot shout shower shut
  loner lover loved lives lived liked looks books cooks backs packs picks kicks licks locks socks ducks trucks stops steps chose chosen choice voice noise nose rose close closer cloth clothes cloths coast coats boats boots roots
  later latter litter letter better bitter butter battle bottle cattle kettle little metal medal model modal novel level label table cable stable fable later layer lawyer player prayer paper pepper papers
  humane human insane sane sand hand hands bands lands band land wind wild child mild build built guilt quilt quite quiet quit suite suit fruit
  hiding riding biding siding sliding heating eating beating seating meeting melting meting petting putting patting potting sitting setting getting letting betting
  barn burn born bark barks dark park parks mark marks shark spark sparks
  angel angle ankle uncle dinner diner winner inner owner older elder alder order border folder holder colder bolder
  desert dessert diary dairy daily fairy hairy hurry carry marry merry berry ferry cherry sorry worry
  mile miles mill mills mall malls mail mails tile tiles pile piles ruin rain hose loud cloud proud plain brand bread broad board toad road load goal coal
  finch inch pinch bunch lunch punch caught taught fought sought court count mount amount
  bother brother mother father feather weather leather whether either other another anther`.split(/\s+/),
);

const isVowel = (letter: string): boolean => /^[aeiouy]$/.test(letter);

/**
 * Whether a word is probably a mistyped form of `meant`: one letter is missing or added, two letters are exchanged, a vowel is
 * wrong, or any letter of a long word. A wrong consonant makes another word too often: "shakes" and "snakes".
 */
const isMistyped = (word: string, meant: string): boolean => {
  let from = 0;
  while (from < word.length && word[from] === meant[from]) from++;
  const [rest, meantRest] = [word.slice(from), meant.slice(from)];
  if (word.length + 1 === meant.length)
    return rest === meantRest.slice(1) && (word.length >= SHORTEST_MEANT || meant[from] === meant[from - 1]);
  if (word.length === meant.length + 1) return rest.slice(1) === meantRest && word.length > SHORTEST_MEANT;
  if (word.length !== meant.length || word.length < SHORTEST_MEANT) return false;
  if (hasSameLetters(word, meant)) return true;
  if (rest[0] === meantRest[1] && rest[1] === meantRest[0] && rest.slice(2) === meantRest.slice(2)) return true;
  return (
    rest.slice(1) === meantRest.slice(1) && (word.length > 7 || (word.length > SHORTEST_MEANT && isVowel(rest[0]) && isVowel(meantRest[0])))
  );
};

/** Whether two words have the same letters, and the same first and last letter: "ginuea" and "guinea". */
const hasSameLetters = (word: string, meant: string): boolean =>
  word.length > SHORTEST_MEANT && word.at(-1) === meant.at(-1) && [...word].sort().join('') === [...meant].sort().join('');

/** Whether a word is a form of a known word: "starts", "closed". */
const isInflected = (word: string): boolean =>
  ['s', 'es', 'd', 'ed', 'ing', 'er', 'r', 'ly', 'n', 'y'].some(
    (ending) => word.endsWith(ending) && isKnown(word.slice(0, -ending.length)),
  ) ||
  ['s', 'd', 'ed', 'ing'].some((ending) => KNOWN.has(word + ending)) ||
  isKnown(word.replace(/(ing|ed|er)$/, 'e')) ||
  isKnown(word.replace(/(.)\1(ing|ed|er)$/, '$1'));

const isKnown = (word: string): boolean => word.length > 2 && (KNOWN.has(word) || isCommonWord(word) || OTHER_WORDS.has(word));

/** Whether a word is a usual word of English or of the advisor's vocabulary, so that it is hardly the name of a pet. */
export const isOrdinaryWord = (word: string): boolean => word.length < 3 || isKnown(word) || isInflected(word);

/** Returns the usual form of "puppys" and "canarie", or null if a word is not of this kind. */
const usualPlural = (word: string): string | null => {
  const singular = /ys$/.test(word) ? word.slice(0, -1) : /ie$/.test(word) ? `${word.slice(0, -2)}y` : null;
  return singular !== null && !KNOWN.has(word) && !isCommonWord(word) && KNOWN.has(singular) ? singular : null;
};

const meantBy = ({ word }: Token): string | undefined => BY_LETTER.get(word[0])?.find((meant) => isMistyped(word, meant));

/** Corrects words that are mistyped in one place: "rabit", "vacinated". Words in `names` are names of pets, and stay. */
export const withSpelling = (tokens: readonly Token[], names: ReadonlySet<string>): readonly Token[] =>
  tokens.map((token) => {
    const { word } = token;
    const isShort = word.length < (isCapitalised(token) ? SHORTEST_CAPITALISED : SHORTEST_MEANT - 1);
    const regular = usualPlural(word);
    if (regular !== null && !names.has(word)) return { ...token, word: regular };
    if (isShort || !/^[a-z]+$/.test(word) || isEverydayWord(word) || isKnown(word) || isInflected(word) || names.has(word)) return token;
    return { ...token, word: meantBy(token) ?? word };
  });
