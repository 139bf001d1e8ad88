/** Every reason for a failed charge. */
export const FAILURE_REASONS = [
  'card_declined',
  'insufficient_funds',
  'processing_error',
  'bank_debit_failed',
  /** The gateway has no instrument with the reference in the charge. */
  'instrument_unknown',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * The result of every charge of an instrument, which is a card or a bank account. The number of the instrument decides the
 * result. The ledger stores the result instead of the number.
 */
export type InstrumentOutcome = 'succeeds' | 'succeeds_slowly' | FailureReason;

/** Test cards of the built-in gateway (contract 15.12). */
const CARDS: ReadonlyMap<string, InstrumentOutcome> = new Map([
  ['4242424242424242', 'succeeds'],
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000119', 'processing_error'],
  ['4000000000000259', 'succeeds_slowly'],
]);

/** Test accounts (contract 15.12). */
const ACCOUNTS: ReadonlyMap<string, InstrumentOutcome> = new Map([
  ['000123456789', 'succeeds'],
  ['000111111116', 'bank_debit_failed'],
]);

/** Returns the outcome of an instrument. Charges of a number that is not listed above succeed (contract 15.12). */
export const outcomeOf = (object: 'card' | 'bank_account', number: string): InstrumentOutcome =>
  (object === 'card' ? CARDS : ACCOUNTS).get(number) ?? 'succeeds';
