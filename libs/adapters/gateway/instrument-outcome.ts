/** Every reason for a failed charge. Card issuers do not give merchants finer reasons either. */
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
 * The result of charging an instrument. It is decided when the instrument is tokenized, so no number is
 * stored.
 */
export type InstrumentOutcome = 'succeeds' | 'succeeds_slowly' | FailureReason;

/**
 * "The built-in gateway simulates: the well-known public test numbers: 4242424242424242 succeeds,
 * 4000000000000002 is declined, 4000000000009995 lacks funds, 4000000000000119 is a processing error,
 * 4000000000000259 succeeds slowly."
 */
const CARDS: ReadonlyMap<string, InstrumentOutcome> = new Map([
  ['4242424242424242', 'succeeds'],
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000119', 'processing_error'],
  ['4000000000000259', 'succeeds_slowly'],
]);

/** "Account 000123456789 succeeds, 000111111116 fails." */
const ACCOUNTS: ReadonlyMap<string, InstrumentOutcome> = new Map([
  ['000123456789', 'succeeds'],
  ['000111111116', 'bank_debit_failed'],
]);

/** "Any other valid number succeeds." */
export const outcomeOf = (object: 'card' | 'bank_account', number: string): InstrumentOutcome =>
  (object === 'card' ? CARDS : ACCOUNTS).get(number) ?? 'succeeds';
