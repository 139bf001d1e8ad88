/** Any UUID; versions are the service's own business. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
export const UUID_WORDING = 'must be a UUID';

/** "price matches ^\d{1,10}\.\d{2}$" */
export const DECIMAL = /^\d{1,10}\.\d{2}$/;
export const DECIMAL_WORDING = 'must be a decimal amount with two decimals, as 120.00';

/** One line of text that is not blank: not only spaces, and no control characters. How long it must be is another rule's business. */
export const ONE_LINE = /^(?!\s+$)[^\u0000-\u001f\u007f]*$/;
export const ONE_LINE_WORDING = 'must be one line of text that is not blank';
