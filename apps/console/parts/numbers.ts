const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Returns a number for people: whole from 100 on, otherwise with up to three digits. */
export const numberText = (value: number): string => (Math.abs(value) >= 100 ? WHOLE : SHORT).format(value);
