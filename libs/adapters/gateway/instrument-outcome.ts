import type { InstrumentOutcome } from '../../ports/payment-ledger.port.js';

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
