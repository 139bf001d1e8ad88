const WORDS: Readonly<Record<string, number>> = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, fifteen: 15, twenty: 20,
}; // prettier-ignore
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;
const MOST_DIGITS = 10;

/** Returns the value of a number, or of a word for a small number; null for everything else. */
export const countOf = (text: string): number | null => {
  if (Object.hasOwn(WORDS, text)) return WORDS[text] ?? null;
  return /^\d{1,4}(?:[.,]\d)?$/.test(text) ? Number(text.replace(',', '.')) : null;
};

/** Converts a number as people write it, such as `1,500` or `99.5`, to decimal text with two decimals; null for other texts. */
export const amountOf = (text: string): string | null => {
  const whole = GROUPED.test(text) ? text.replaceAll(/[.,]/g, '') : text.replace(/,(?=\d{3}\.)/, '');
  const [, digits, decimals = ''] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(whole) ?? [];
  if (digits === undefined || digits.length > MOST_DIGITS) return null;
  return `${digits.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
};
