import type { AdvisorPet } from '../../ports/chat/advisor.port.js';
import { faultOfClaim, fieldWords, type Claim } from './claims.js';
import { GENERAL_WORDS, NEUTRAL_WORDS, WORDS_OF_ADVICE, WORDS_OF_AVAILABLE, WORDS_OF_FIELD, WORDS_OF_OFFERS } from './neutral-words.js';
import { hasWords, lineOfWords, wordsOf } from './words.js';

/** The pets that tools have returned to the model for this question, by id. */
export type SeenPets = ReadonlyMap<string, AdvisorPet>;

/** The answer without its citations, or the reasons why it cannot be shown. */
export type CheckedAnswer = { readonly text: string } | { readonly faults: readonly Fault[] };

/**
 * Why a sentence cannot be shown, and the sentence's number in the answer, from 1. The request for a better answer lists
 * the faults. A fault contains no text of the answer. The answer may repeat a text of the catalog, and the model could take
 * that text for an instruction of the service.
 */
export type Fault = { readonly sentence: number; readonly reason: string };

/**
 * The maximum number of characters of an answer with its citations (contract 41.10). A longer answer is not checked,
 * because the check blocks the event loop.
 */
const LONGEST = 32_768;
/** Matches a citation and the blanks before it: `[pet:<id>.<field>=<value>]`. A value contains no bracket. */
const CITATION = /(?<!\s)\s{0,9}\[pet:([^\].[]{1,64})\.([\w.]{1,64})=([^\][]{0,1000})\]/g;
/**
 * Matches the mark that replaces a citation while the answer is split into sentences. A mark is the index of the claim between
 * two NUL characters. Without marks, full stops in cited values would end sentences.
 */
const MARK = /\u0000(\d+)\u0000/g;
/**
 * Matches a line break, or the white space between two sentences. The citations directly after a sentence belong to that
 * sentence. The full stop after the number of a list item does not end a sentence.
 */
const SENTENCE_END = /(?<=[.!?]["'”’)*_]{0,3}(?: {0,3}\u0000\d{1,5}\u0000){0,20})(?<!(?:^|\n) {0,9}\d{1,3}\.)\s+(?![\u0000])|\n+/;

/**
 * Checks that each statement about a pet cites the pet and the field, and that each citation is true (contract 41.10).
 * `conversation` is the text that the client wrote. A fact about a pet needs a citation even if the client wrote it, but
 * some sentences without a citation may repeat the client's words.
 */
export const checkCitations = (answer: string, pets: SeenPets, conversation: string): CheckedAnswer => {
  if (answer.length > LONGEST) return { faults: [{ sentence: 1, reason: 'the answer is too long' }] };
  const claims: Claim[] = [];
  const marked = answer.replaceAll('\u0000', '').replace(CITATION, (_, id: string, field: string, value: string) => {
    claims.push({ id: id.toLowerCase(), field, value: value.trim() });
    return `\u0000${claims.length - 1}\u0000`;
  });
  const said = new Set(wordsOf(conversation));
  const sentences = marked
    .split(SENTENCE_END)
    .map((part) => ({ text: part.replace(MARK, ''), claims: [...part.matchAll(MARK)].flatMap(([, at]) => claims[Number(at)] ?? []) }));
  const faults = sentences.flatMap((sentence, index) => {
    const reason = faultOfSentence(sentence, pets, said) ?? faultOfStatus(sentence.claims, claims, pets);
    return reason === null ? [] : [{ sentence: index + 1, reason }];
  });
  if (faults.length > 0) return { faults };
  const text = marked.replace(MARK, '').trim();
  return text === '' ? { faults: [{ sentence: 1, reason: 'the answer is empty' }] } : { text };
};

/** Returns a fault if a sentence cites a pet that is not available and the answer nowhere cites the status of that pet. */
const faultOfStatus = (claims: readonly Claim[], all: readonly Claim[], pets: SeenPets): string | null => {
  const isHidden = ({ id }: Claim): boolean =>
    pets.get(id)?.status !== 'AVAILABLE' && !all.some((claim) => claim.id === id && claim.field === 'status');
  return claims.some(isHidden) ? 'the pet is not AVAILABLE, and the answer does not cite its status' : null;
};

type Sentence = { readonly text: string; readonly claims: readonly Claim[] };

/** Returns why a sentence cannot be shown, or null. `said` has the words of the client in lower case. */
const faultOfSentence = ({ text, claims }: Sentence, pets: SeenPets, said: ReadonlySet<string>): string | null => {
  if (text.includes('[pet:')) return 'a citation does not have the form [pet:<id>.<field>=<value>]';
  const cited = new Set(claims.map(({ id }) => id));
  if (cited.size > 1 && claims.some(({ field }) => field !== 'name')) return 'it has facts about several pets: write a sentence for each';
  const line = lineOfWords(text);
  for (const claim of claims) {
    const fault = faultOfClaim(claim, text, line, pets.get(claim.id));
    if (fault !== null) return fault;
  }
  const citedNames = [...cited].map((id) => lineOfWords(pets.get(id)?.name ?? '')).join('');
  const isUncited = ([id, { name }]: readonly [string, AdvisorPet]): boolean =>
    !cited.has(id) && hasWords(line, name) && !hasWords(citedNames, name);
  if ([...pets].some(isUncited)) return 'it names a pet that it does not cite';
  const stated = textWithoutNumbering(text);
  if (claims.length > 0 || (pets.size > 0 && PRONOUN.test(stated))) {
    if (SIGN.test(stated)) return 'it has a sign that changes a number or its unit: write words instead, and for a currency its code';
    return wordsOf(stated).every(isSupportedBy(claims, pets)) ? null : 'it has a word or number that no citation supports';
  }
  return pets.size > 0 ? faultAfterSearch(stated, said) : faultWithoutSearch(text, said);
};

/** Words that may refer to a pet. */
const PRONOUN = /\b(?:he|she|it|they|him|her|hers|his|its|them|their|theirs|this|that|these|those)\b/i;
/** Signs that change a number or its unit. */
const SIGN = /[\p{Sc}+<>~≤≥±\p{No}\p{So}]/u;

/** Removes the bullet or number of a list item and the signs of emphasis from the beginning of a sentence. */
const textWithoutNumbering = (text: string): string => text.replace(/^[\s>*_#•\p{So}-]{0,20}(?:\d{1,3}[.)]\s)?[\s*_•\p{So}-]{0,20}/u, '');

/** Returns a check of words. It accepts a word that states nothing about a pet, and a word that a claim supports. */
const isSupportedBy = (claims: readonly Claim[], pets: SeenPets): ((word: string) => boolean) => {
  const isAvailable = claims.length > 0 && claims.every(({ id }) => pets.get(id)?.status === 'AVAILABLE');
  const supported = new Set([
    ...(isAvailable ? WORDS_OF_AVAILABLE : []),
    ...(claims.length === 0 ? WORDS_OF_OFFERS : []),
    ...claims.flatMap(({ id, field, value }) => [
      ...wordsOf(value),
      ...wordsOf(pets.get(id)?.name ?? ''),
      ...wordsOf(fieldWords(field)),
      ...(WORDS_OF_FIELD[field] ?? []),
    ]),
  ]);
  return (word) => NEUTRAL_WORDS.has(word) || supported.has(word) || (word.endsWith('s') && supported.has(word.slice(0, -1)));
};

/** Matches the beginning of a sentence that says that no pet was found. */
const WITHOUT_RESULT = /^\W*(?:unfortunately\W+|sorry\W+)?(?:(?:i|we) (?:have|found|see) no\b|there (?:is|are) no\b)/i;

/**
 * Returns the fault of a sentence, or null. Called when tools have returned pets and the sentence has neither a citation nor a
 * pronoun. Such a sentence may have only words that state nothing about a pet. If the sentence says that no pet was found,
 * it may also repeat words of the client.
 */
const faultAfterSearch = (text: string, said: ReadonlySet<string>): string | null => {
  const mayRepeat = WITHOUT_RESULT.test(text);
  const isAllowed = (word: string): boolean =>
    NEUTRAL_WORDS.has(word) || GENERAL_WORDS.has(word) || (mayRepeat && (said.has(word) || said.has(word.replace(/s$/, ''))));
  return wordsOf(text).every(isAllowed) ? null : 'it has a word or number that no citation supports';
};

/** Words, in lower case, that are not taken for a pet's name when a sentence begins with one of them. */
const OPENINGS: ReadonlySet<string> = new Set([...WORDS_OF_ADVICE, ...NEUTRAL_WORDS, ...GENERAL_WORDS]);
/** Matches a capitalised subject at the beginning of a sentence, as in `Rex is` and `**Rex**: `. */
const SUBJECT =
  /^(\p{Lu}\p{L}+)[*_]*(?:\s*[:,(–—]|\s-|\s+(?:is|are|was|has|have|had|loves|likes|enjoys|gets|needs|costs|weighs|comes|lives|would|can|will|does|seems)\b)/u;
/** Matches a list item or an emphasised text that begins with a name. */
const ITEM = /^\s*(?:[-*•>]|\d+[.)])\s+[*_]*(\p{Lu}\p{L}+)|^\s*[*_]{2}(\p{Lu}\p{L}+)/u;
/** Matches a capitalised word inside a sentence, which may be a name. */
const NAME = /(?<=[\p{L}\d,;:)"'”’]\s+["'“‘(*_]*)\p{Lu}\p{L}+/gu;
const NUMBER = /\d+(?:\.\d+)?/g;
/** Matches a statement about what the store has or sells. */
const STOCK =
  /\b(?:(?:we|store|shop|i)(?:\P{L}ve)? (?:\w+ )?(?:have|has|got|offer|offers|sell|sells|recommend|suggest)|there (?:is|are)|costs?|prices?|dollars|euros)\b(?! (?:no|not|any|nothing)\b)|\bavailable\b|\bfor (?:adoption|sale)\b/iu;
/** Matches a statement about one pet. */
const ONE_PET = /\b(?:he|she|his|her|hers|him|vaccinated|spayed|neutered|months old|years old|adopted|reserved)\b/i;
/** Matches a negation or a question. A sentence that matches does not say what the store has. */
const NO = /\b(?:no|not|none|nothing)\b|n\P{L}t\b|\?\s*$/iu;

/**
 * Returns the fault of a sentence, or null. Called when tools have returned no pet. The sentence may neither state a fact about
 * a pet nor invent a pet. Its names and numbers must occur in the client's text.
 */
const faultWithoutSearch = (text: string, said: ReadonlySet<string>): string | null => {
  if ((STOCK.test(text) || ONE_PET.test(text)) && !NO.test(text))
    return 'it states something about a pet or the catalog: call a tool first';
  const stated = textWithoutNumbering(text);
  const item = ITEM.exec(text);
  const subject = item?.[1] ?? item?.[2] ?? SUBJECT.exec(stated)?.[1];
  const names = [...stated.matchAll(NAME)].map(([name]) => name);
  const numbers = [...stated.matchAll(NUMBER)].map(([number]) => number.replace(/\.00$/, ''));
  const isInvented = subject !== undefined && !OPENINGS.has(subject.toLowerCase());
  return isInvented || [...names, ...numbers].some((word) => !said.has(word.toLowerCase()))
    ? 'it has a name or number without a citation'
    : null;
};
