const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns whether a text is an existing date in the form YYYY-MM-DD (contract 3.4). */
export const isCalendarDate = (text: string): boolean => {
  if (!CALENDAR_DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

/** RFC 3339 also permits `t` and `z` (5.6). It does not permit a leap second that `Date` cannot represent. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Returns whether a text is an RFC 3339 time with an offset (contract 3.4).
 * The year of the time must have four digits, even after conversion to UTC.
 */
export const isDateTime = (text: string): boolean =>
  DATE_TIME.test(text) && isCalendarDate(text.slice(0, 10)) && /^\d{4}-/.test(new Date(text).toISOString());

/**
 * Returns the first millisecond that is not before a time (contract 3.4). Recorded times have milliseconds, so as the start of a
 * range, or as an end that is not included, it selects what the time with all its digits selects.
 */
export const firstMillisecondAt = (time: string): Date => new Date(Date.parse(time) + (/\.\d{3}\d*[1-9]/.test(time) ? 1 : 0));

/** The maximum length of a URL in characters (contract 3.3). Some browsers and proxies cut off longer URLs. */
export const LONGEST_URI = 2_048;

/**
 * Matches an http or https URI.
 * The URI has only the characters of RFC 3986, 2. All other characters must be percent-encoded.
 */
const HTTP_URI = /^https?:\/\/(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;

/** Returns whether a text is an absolute http or https URI (contract 3.3). */
export const isHttpUri = (text: string): boolean => text.length <= LONGEST_URI && HTTP_URI.test(text) && URL.canParse(text);

/**
 * Returns whether a text has no lone surrogate.
 * UTF-8 cannot encode a lone surrogate, so the stored text would differ from the sent text.
 */
export const isWellFormed = (text: string): boolean => text.isWellFormed();

/** Matches the control characters of Unicode (category Cc) but line feeds and tabs. */
const CONTROL = /(?![\n\t])\p{Cc}/u;

/** Returns whether a text has no lone surrogate, and no control characters but line feeds and tabs (contract 3.3). */
export const isFreeText = (text: string): boolean => isWellFormed(text) && !CONTROL.test(text);

/** Returns whether a text is a card number with a valid Luhn check digit (contract 15.5, ISO/IEC 7812). */
export const isCardNumber = (text: string): boolean => {
  if (!/^\d{12,19}$/.test(text)) return false;
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = Number(text[text.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** Returns the number of code points in a text (contract 3.3). JSON Schema counts code points, too, but `length` does not. */
const characters = (text: string): number => {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    pairs++;
    at++;
  }
  return text.length - pairs;
};

/**
 * Returns whether a text has `min` to `max` characters. A character adds at most two to `length`, so a text whose `length`
 * is more than twice `max` is rejected without counting.
 */
export const hasCharacters = (text: string, min: number, max: number): boolean => {
  if (text.length > 2 * max) return false;
  const count = characters(text);
  return count >= min && count <= max;
};

/**
 * Matches a character that is not visible, or that Unicode has not assigned. The category `C` has controls, formats,
 * private use, lone surrogates and unassigned characters. The other classes have line and paragraph separators and fillers.
 * The single characters are blanks: of Braille, of hieroglyphs (two), of Khitan and of musical notes.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;
/** The alphabets with letters that look alike. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** Returns whether every character of a text is visible (contract 30.2). */
export const isVisible = (text: string): boolean => !INVISIBLE.test(text);

/**
 * Returns whether a text is visible and does not mix alphabets with letters that look alike (contract 30.2). The
 * normalization form NFKC turns styled letters, such as bold ones, into the plain letters of their alphabet.
 */
export const isUnmixed = (text: string): boolean =>
  isVisible(text) && ALPHABETS.filter((letter) => letter.test(text.normalize('NFKC'))).length <= 1;

/** The maximum number of octets before the `@` of an email address (RFC 5321, 4.5.3.1.1). */
const LONGEST_MAILBOX = 64;

/** Returns whether the part of an email address before the `@` is short enough (contract 30.1). */
export const hasShortMailbox = (text: string): boolean => Buffer.byteLength(text.split('@', 1)[0] ?? '') <= LONGEST_MAILBOX;

/** Returns whether an email address that matches its pattern is visible, and short enough before the `@`. */
export const isMailbox = (text: string): boolean => isVisible(text) && hasShortMailbox(text);
