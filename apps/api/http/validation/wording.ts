import { ERROR_CODES, type ErrorCode } from '../problems/error-codes.js';
import type { RuleMetadata } from './metadata.js';
import {
  CALENDAR_DATE,
  CARD_NUMBER,
  CHARACTERS,
  CURRENCY_CODE,
  HTTP_URI,
  DATE_TIME,
  FREE_TEXT,
  SHORT_MAILBOX,
  UNMIXED,
  VISIBLE,
  WELL_FORMED,
} from './rules.js';
import { hasCharacters } from './formats.js';

type Wording = { readonly code: ErrorCode; readonly message: string };
type CreateWording = (rule: Pick<RuleMetadata, 'args' | 'message'>, value: unknown) => Wording;

const type =
  (message: string): CreateWording =>
  () => ({ code: 'invalid_type', message });
const format =
  (message: string): CreateWording =>
  () => ({ code: 'INVALID_FORMAT', message });

/**
 * For each rule, a function that creates the code and message of an error.
 * No message contains the rejected value, which may be secret, such as a card number.
 */
const WORDING: Readonly<Record<string, CreateWording>> = {
  isString: type('must be a string'),
  isInt: type('must be a whole number'),
  isNumber: type('must be a number'),
  isBoolean: type('must be true or false'),
  isArray: type('must be a list'),
  isObject: type('must be an object'),
  nestedValidation: type('must be an object'),
  isIn: ({ args: [values] }) => ({ code: 'invalid_enum', message: `must be one of ${(values as readonly string[]).join(', ')}` }),
  min: ({ args: [min] }) => ({ code: 'too_small', message: `must be at least ${String(min)}` }),
  max: ({ args: [max] }) => ({ code: 'too_big', message: `must be at most ${String(max)}` }),
  // A text with a `length` of at least `2 * min` is not too short, so its characters need not be counted.
  [CHARACTERS]: ({ args: [min, max] }, value) =>
    typeof value === 'string' && value.length < 2 * Number(min) && !hasCharacters(value, Number(min), Infinity)
      ? { code: 'too_short', message: `must have at least ${String(min)} ${Number(min) === 1 ? 'character' : 'characters'}` }
      : { code: 'too_long', message: `must have at most ${String(max)} characters` },
  arrayMinSize: ({ args: [min] }) => ({ code: 'too_short', message: `must have at least ${String(min)} items` }),
  arrayMaxSize: ({ args: [max] }) => ({ code: 'too_long', message: `must have at most ${String(max)} items` }),
  arrayUnique: () => ({ code: 'not_unique', message: 'must not have the same value twice' }),
  matches: ({ message }) => ({ code: 'INVALID_FORMAT', message: message ?? ERROR_CODES.INVALID_FORMAT }),
  [WELL_FORMED]: format('must not contain half of a surrogate pair'),
  [FREE_TEXT]: format('must have no control characters but line feeds and tabs, and no half of a surrogate pair'),
  [VISIBLE]: format('must have only visible characters'),
  [UNMIXED]: format('must have only visible characters, and letters of only one of the Latin, Greek and Cyrillic alphabets'),
  [SHORT_MAILBOX]: format('must have at most 64 bytes before the @'),
  [CALENDAR_DATE]: format('must be a calendar date, such as 2026-01-31'),
  [DATE_TIME]: format('must be a date and time with its offset, such as 2026-01-31T12:00:00Z'),
  [HTTP_URI]: format('must be an absolute http or https URI; percent-encode characters that a URI cannot have'),
  [CURRENCY_CODE]: format('must be a current currency code of ISO 4217, such as USD'),
  [CARD_NUMBER]: format('must be a card number with a valid check digit'),
};

/** Returns the message and code of a broken rule. */
export const wordingOf = (name: string, rule: Pick<RuleMetadata, 'args' | 'message'>, value: unknown): Wording => {
  const createWording = WORDING[name];
  if (!createWording) throw new Error(`the rule ${name} has no wording: add it to WORDING in apps/api/http/validation/wording.ts`);
  return createWording(rule, value);
};
