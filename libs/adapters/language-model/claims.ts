import type { AdvisorPet } from '../../ports/chat/advisor.port.js';
import { WORDS_OF_FIELD } from './neutral-words.js';
import { hasWords, lineOfWords, wordsOf } from './words.js';

/** A citation: the pet, the path of a field, and its value as the model wrote it. */
export type Claim = { readonly id: string; readonly field: string; readonly value: string };

/**
 * Returns why a citation is false, or why the sentence does not state the cited value. Returns null if the citation is true
 * and the sentence states the value. `text` is the sentence, and `line` is `lineOfWords(text)`.
 */
export const faultOfClaim = ({ field, value }: Claim, text: string, line: string, pet: AdvisorPet | undefined): string | null => {
  if (!pet) return 'it cites an unknown pet';
  if (!hasWords(line, pet.name)) return 'it does not name the pet that it cites';
  const actual = field.split('.').reduce<unknown>((member, name) => membersOf(member)[name], pet);
  if (typeof actual === 'boolean') return faultOfFlag(field, actual, value, text);
  if (typeof actual !== 'string' && typeof actual !== 'number') return 'it cites an unknown field';
  if (QUOTED.has(field)) return faultOfQuotation(value, String(actual), text);
  if (value.toLowerCase() !== String(actual).toLowerCase()) return 'it cites a value that the field does not have';
  if (!statementsOf(field, value, pet).some((statement) => hasWords(line, statement))) return 'it does not state the value that it cites';
  return field !== 'name' && NEGATION.test(text)
    ? 'it has a negation beside its citation: put the negated statement into a separate sentence'
    : null;
};

/** An answer cites these fields by quoting whole sentences of them. For any other field, it states the cited value. */
const QUOTED: ReadonlySet<string> = new Set(['description', 'medicalInfo.healthNotes']);
const NEGATION_WORDS = String.raw`(?:\b(?:not|no|never|without)\b|n\P{L}t\b)`;
const NEGATION = new RegExp(`${NEGATION_WORDS}|\\b(?:unsuitable|unvaccinated|cannot)\\b`, 'iu');

/**
 * Returns the texts that state the value. The sentence must contain one of them. The texts of an age or a price include the
 * unit, because a number alone could have any unit.
 */
const statementsOf = (field: string, value: string, pet: AdvisorPet): readonly string[] => {
  if (field === 'ageMonths') return [`${value} months`, `${value} month`];
  if (field === 'price') return [`${value} ${String(pet['currency'])}`, `${String(pet['currency'])} ${value}`];
  return [value.replaceAll('_', ' ')];
};

/**
 * Returns the fault of a citation of a flag (a boolean field), or null. If the flag is false, the sentence must have a negation
 * before a word of the flag, with at most three words between them. If the flag is true, the sentence must
 * have no negation at all.
 */
const faultOfFlag = (field: string, actual: boolean, value: string, text: string): string | null => {
  if (value !== String(actual)) return 'it cites a value that the field does not have';
  // `with` in `good with kids` is left out, because many sentences contain the word `with`.
  const words = [...wordsOf(fieldWords(field)).filter((word) => word !== 'with'), ...(WORDS_OF_FIELD[field] ?? [])].join('|');
  if (!new RegExp(`\\b(?:${words})\\b`, 'i').test(text)) return 'it does not mention the field that it cites';
  const isNegated = new RegExp(`${NEGATION_WORDS}(?:\\s+\\p{L}+){0,3}?\\s+(?:${words})\\b`, 'iu').test(text);
  return isNegated === actual || (actual && NEGATION.test(text)) ? 'it says the opposite of its citation' : null;
};

/** Returns the words of a field's name, for example `special needs` for `medicalInfo.specialNeeds`. */
export const fieldWords = (field: string): string =>
  field
    .replace(/.*\./, '')
    .replaceAll(/(?=[A-Z])/g, ' ')
    .toLowerCase();

const QUOTATION = /["“„«]([^"“”„«»]*)["”“»]/g;

/**
 * Returns the fault of a quotation, or null. Only whole sentences may be quoted, in quotation marks. A quoted part of a
 * sentence could leave out the negation in that sentence.
 */
const faultOfQuotation = (value: string, actual: string, text: string): string | null => {
  const sought = lineOfWords(value).trim();
  if (sought === '' || !isRunOfSentences(sought, actual)) return 'it quotes no whole sentence of the field';
  const isQuoted = [...text.matchAll(QUOTATION)].some(([, quoted = '']) => lineOfWords(quoted).trim() === sought);
  return isQuoted && !NEGATION.test(text.replaceAll(QUOTATION, '')) ? null : 'it does not quote its citation in quotation marks';
};

/** Returns whether these words are one or more whole sentences of a text, one after the other. */
const isRunOfSentences = (words: string, text: string): boolean => {
  const sentences = text.split(/(?<=[.!?])\s+/).map((sentence) => lineOfWords(sentence).trim());
  return sentences.some((first, at) => {
    // A description may have hundreds of sentences. To save time, a run is not extended when `words` does not start with it.
    if (!words.startsWith(first)) return false;
    let run = first;
    for (const next of sentences.slice(at + 1)) {
      if (run === words || !words.startsWith(run)) break;
      run += ` ${next}`;
    }
    return run === words;
  });
};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
