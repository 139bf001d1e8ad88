const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** "a real calendar date": YYYY-MM-DD that the calendar has. */
export const isCalendarDate = (text: string): boolean => {
  if (!CALENDAR_DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const MOMENT = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A date and time with its offset (RFC 3339), of a day that the calendar has; in UTC too, which RFC 3339 can write from year 0 to 9999. */
export const isMoment = (text: string): boolean =>
  MOMENT.test(text) && isCalendarDate(text.slice(0, 10)) && /^\d{4}-/.test(new Date(text).toISOString());

/** Longer addresses are cut by browsers and proxies alike. */
export const LONGEST_URI = 2_048;

/** An absolute http or https address. */
export const isHttpUri = (text: string): boolean =>
  text.length <= LONGEST_URI && /^https?:\/\/\S+$/.test(text) && isWellFormed(text) && URL.canParse(text);

/** Text without half of a surrogate pair, which UTF-8 cannot write: it would be stored as another text. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();

/** "Card number: Luhn": 12 to 19 digits of which the last checks the others (ISO/IEC 7812). */
export const isCardNumber = (text: string): boolean => {
  if (!/^\d{12,19}$/.test(text)) return false;
  let sum = 0;
  for (let place = 0; place < text.length; place++) {
    const digit = Number(text[text.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** Length in characters as people and JSON Schema count them: code points, not UTF-16 units. */
const characters = (text: string): number => {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    pairs++;
    at++;
  }
  return text.length - pairs;
};

/** Whether a text has that many characters; one that is far too long is not counted. */
export const hasCharacters = (text: string, min: number, max: number): boolean => {
  if (text.length > 2 * max) return false;
  const count = characters(text);
  return count >= min && count <= max;
};
