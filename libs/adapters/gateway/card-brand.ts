/** Card number prefixes, as the card schemes publish them. The first matching prefix decides the brand. */
const PREFIXES: readonly (readonly [brand: string, prefix: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['diners', /^(30[0-5]|309|36|38|39)/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['unionpay', /^62/],
  ['maestro', /^(5018|5020|5038|6304|6759|676[1-3])/],
];

/** Returns the brand of a card number by its prefix, or `unknown`. */
export const cardBrand = (number: string): string => PREFIXES.find(([, prefix]) => prefix.test(number))?.[0] ?? 'unknown';
