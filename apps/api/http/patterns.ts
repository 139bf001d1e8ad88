/** Matches a UUID of any version (contract 3.1). */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u;
export const UUID_WORDING = 'must be a UUID';

/** Matches a price (contract 3.6). */
export const PRICE = /^(0|[1-9]\d{0,9})\.\d{2}$/u;
export const PRICE_WORDING = 'must be an amount below 10000000000.00, with two decimals and without leading zeros, such as 120.00';

/**
 * Matches an amount (contract 3.6).
 * An amount may have two more digits than a price, because it is a price times a quantity of at most 100 (contract 13.1).
 */
export const AMOUNT = /^(0|[1-9]\d{0,11})\.\d{2}$/u;
export const AMOUNT_WORDING = 'must be an amount below 1000000000000.00, with two decimals and without leading zeros, such as 120.00';

/**
 * `STORED_AMOUNT` and `STORED_CURRENCY` match values that earlier versions have stored. Those versions also accepted
 * leading zeros, and currencies that are now withdrawn (contract 3.7).
 */
export const STORED_AMOUNT = /^\d{1,12}\.\d{2}$/u;
export const STORED_CURRENCY = /^[A-Z]{3}$/u;

/**
 * Control characters, and separators of lines and paragraphs (contract 3.3). Patterns that the OpenAPI document shows have no
 * lookaround, because RE2 and Go do not know it. Their classes have no bare `[`, because .NET and Java read it as a class inside
 * the class.
 */
const CONTROLS = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029';
/** All other characters that JavaScript's `\s` matches. */
const SPACES = ' \\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff';

/** Matches one line of text that is not blank (contract 3.3). Another rule limits its length. */
export const ONE_LINE = new RegExp(`^(?:[${SPACES}]*[^${CONTROLS}${SPACES}][^${CONTROLS}]*)?$`, 'u');
export const ONE_LINE_WORDING = 'must be one line of text that is not blank';

/** Matches a username (contract 30.2). Another rule limits its length. */
export const USERNAME = new RegExp(`^(?:[^${CONTROLS}${SPACES}](?:[^${CONTROLS}]*[^${CONTROLS}${SPACES}])?)?$`, 'u');
export const USERNAME_WORDING = 'must be one line of text that does not begin or end with a space';

/** A part of an email address before the `@`, without dots. */
const emailPart = (excluded: string): string => `[^.@<>()\\[\\],;:\\\\"${excluded}]+`;

const emailPattern = (part: string): string =>
  `^${part}(?:\\.${part})*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`;

/**
 * Matches an email address (contract 30.1). Its domain is ASCII: an international domain is in Punycode. Other rules limit its
 * length and the length of the part before the `@`.
 */
export const EMAIL = new RegExp(emailPattern(emailPart(CONTROLS + SPACES)), 'u');
export const EMAIL_WORDING = 'must be an email address, such as ann@example.com';

/** Matches a phone number, or an empty text, which counts as absent (contract 30.1). */
export const PHONE = /^(?:[0-9 +\-().]{3,30})?$/u;
export const PHONE_WORDING = 'must have 3 to 30 digits, spaces and the characters + - ( ) . as in +1 415 555-0123';

/**
 * The documented notation of some patterns (contract 25.3). The languages of generated clients have no common notation for
 * characters such as U+2028: RE2 does not know `\u2028`, and some languages refuse a source file with the character itself. Some
 * generators also write `\x00` as the character. These patterns accept all texts that the service accepts, and some more.
 */
const DOCUMENTED_PATTERNS: ReadonlyMap<string, string> = new Map([
  [ONE_LINE.source, '^(?:.*\\S.*)?$'],
  [USERNAME.source, '^(?:\\S(?:.*\\S)?)?$'],
  [EMAIL.source, emailPattern(emailPart('\\s'))],
]);

/** Returns a pattern in the notation of the documents. A slash is not escaped there: generators escape it themselves. */
export const documentedPattern = (pattern: string): string => (DOCUMENTED_PATTERNS.get(pattern) ?? pattern).replaceAll('\\/', '/');
