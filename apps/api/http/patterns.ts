/** Any UUID; versions are the service's own business. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
export const UUID_WORDING = 'must be a UUID';

/** A price: one form for each amount, so without leading zeros. */
export const PRICE = /^(0|[1-9]\d{0,9})\.\d{2}$/;
export const PRICE_WORDING = 'must be a decimal amount with two decimals and without leading zeros, as 120.00, below 10000000000.00';

/** What is due for the highest price and the highest quantity has two digits more than a price. */
export const AMOUNT = /^(0|[1-9]\d{0,11})\.\d{2}$/;
export const AMOUNT_WORDING = 'must be a decimal amount with two decimals and without leading zeros, as 120.00, below 1000000000000.00';

/** Amounts and currencies as they are shown: earlier versions took leading zeros, and currencies that are no longer in use. */
export const STORED_AMOUNT = /^\d{1,12}\.\d{2}$/;
export const STORED_CURRENCY = /^[A-Z]{3}$/;

/** One line of text that is not blank: not only spaces, and no control characters. How long it must be is another rule's business. */
export const ONE_LINE = /^(?!\s+$)[^\u0000-\u001f\u007f]*$/;
export const ONE_LINE_WORDING = 'must be one line of text that is not blank';
