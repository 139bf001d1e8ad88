/** Every reason for a failed charge. */
export const FAILURE_REASONS = [
  'card_declined',
  'insufficient_funds',
  'processing_error',
  'bank_debit_failed',
  /** The gateway has no instrument with that reference. */
  'instrument_unknown',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * The result of every charge of an instrument. The number decides it, and the ledger stores it instead of the
 * number.
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

/** Returns the outcome of an instrument. Any other valid number succeeds (contract 15.12). */
export const outcomeOf = (object: 'card' | 'bank_account', number: string): InstrumentOutcome =>
  (object === 'card' ? CARDS : ACCOUNTS).get(number) ?? 'succeeds';
