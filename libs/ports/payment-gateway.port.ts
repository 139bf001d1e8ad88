/** A payment instrument in plain text. It is sent to the gateway and nowhere else. */
export type PaymentInstrument =
  | { readonly object: 'card'; readonly number: string; readonly cvc?: string; readonly expMonth: number; readonly expYear: number }
  | { readonly object: 'bank_account'; readonly number: string; readonly sortCode?: string };

/**
 * The data of an instrument that the service may store. Only the gateway can use `reference`. Instruments
 * with the same number have the same `fingerprint`.
 */
export type TokenizedInstrument = {
  readonly reference: string;
  readonly fingerprint: string;
  readonly last4: string;
  /** Lower case, for example `visa`; cards only. */
  readonly brand?: string;
};

/** The final outcome of a charge. */
export type ChargeOutcome = { readonly status: 'succeeded' } | { readonly status: 'failed'; readonly reason: string };

/** The data of an instrument that the gateway has not stored. */
export type IdentifiedInstrument = Omit<TokenizedInstrument, 'reference'>;

/** An instrument that the gateway has stored. */
export type StoredInstrument = {
  readonly reference: string;
  /** The `purpose` passed to `tokenize`. */
  readonly purpose: string;
};

/** Stores and charges cards and bank accounts, and refunds charges. */
export abstract class PaymentGateway {
  /** Returns the data that `tokenize` returns, except the reference, and stores nothing. */
  abstract identify(instrument: PaymentInstrument): Promise<IdentifiedInstrument>;
  /** Stores an instrument in the gateway. `purpose` is the name of the stream whose events contain the reference. */
  abstract tokenize(instrument: PaymentInstrument, purpose: string): Promise<TokenizedInstrument>;
  /**
   * Deletes the instruments that were stored before `before`, were never charged and are not needed. Returns the number of
   * deleted instruments. If `isNeeded` resolves to true, the instrument is kept, and later calls do not check it again. If
   * `isNeeded` rejects, so does this call, and the next call checks that instrument again.
   */
  abstract deleteUnused(before: Date, isNeeded: (instrument: StoredInstrument) => Promise<boolean>): Promise<number>;
  /** Charges once per idempotency key: a later call with the same key returns the first outcome. `amount` is decimal text. */
  abstract charge(reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome>;
  /** Refunds the succeeded charge with this idempotency key once. Rejects if there is no such charge. */
  abstract refund(idempotencyKey: string): Promise<void>;
}
