/** Matches a UUID of any version (contract 3.1). */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
export const UUID_WORDING = 'must be a UUID';

/** Matches a price (contract 3.6). */
export const PRICE = /^(0|[1-9]\d{0,9})\.\d{2}$/;
export const PRICE_WORDING = 'must be an amount below 10000000000.00, with two decimals and without leading zeros, such as 120.00';

/**
 * Matches an amount (contract 3.6).
 * An amount may have two more digits than a price, because it is a price times a quantity of at most 100 (contract 13.1).
 */
export const AMOUNT = /^(0|[1-9]\d{0,11})\.\d{2}$/;
export const AMOUNT_WORDING = 'must be an amount below 1000000000000.00, with two decimals and without leading zeros, such as 120.00';

/**
 * `STORED_AMOUNT` and `STORED_CURRENCY` match values that earlier versions have stored. Those versions also accepted
 * leading zeros, and currencies that are now withdrawn (contract 3.7).
 */
export const STORED_AMOUNT = /^\d{1,12}\.\d{2}$/;
export const STORED_CURRENCY = /^[A-Z]{3}$/;

/** Matches one line of text that is not blank (contract 3.3). Another rule limits its length. */
export const ONE_LINE = /^(?!\s+$)[^\u0000-\u001f\u007f]*$/;
export const ONE_LINE_WORDING = 'must be one line of text that is not blank';

/** Matches a username (contract 30.2). Another rule limits its length. */
export const USERNAME = /^(?!\s)(?!.*\s$)[^\u0000-\u001f\u007f]*$/;
export const USERNAME_WORDING = 'must be one line of text that does not begin or end with a space';

/** Matches an email address. Its domain is ASCII: an international domain is in Punycode. Another rule limits its length. */
export const EMAIL =
  /^[^\s@<>()[\],;:\\"\u0000-\u001f\u007f]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;
export const EMAIL_WORDING = 'must be an email address, such as ann@example.com';

/** Matches a phone number in the form of ITU-T E.164. */
export const PHONE = /^\+[1-9]\d{1,14}$/;
export const PHONE_WORDING = 'must be a phone number with its country code and without spaces, such as +14155550123';
