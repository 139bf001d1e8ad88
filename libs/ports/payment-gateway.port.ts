/** A payment instrument in plain text. It is sent to the gateway and nowhere else. */
export type PaymentInstrument =
  | { readonly object: 'card'; readonly number: string; readonly cvc?: string; readonly expMonth: number; readonly expYear: number }
  | { readonly object: 'bank_account'; readonly number: string; readonly sortCode?: string };

/**
 * The storable data of an instrument. `reference` is opaque and useless elsewhere; equal numbers share a
 * `fingerprint`.
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

/** The only access to cards and bank accounts. */
export interface PaymentGateway {
  /** Returns the data that `tokenize` would, but stores nothing. */
  identify(instrument: PaymentInstrument): Promise<IdentifiedInstrument>;
  /** Stores an instrument in the gateway. `purpose` names the stream with the events that contain `reference`. */
  tokenize(instrument: PaymentInstrument, purpose: string): Promise<TokenizedInstrument>;
  /**
   * Deletes the instruments that were stored before `before`, were never charged and are not needed. Returns
   * how many. `isNeeded` is called once per instrument; a needed one is kept permanently. When `isNeeded`
   * rejects, this rejects too, and the next call continues with that instrument.
   */
  deleteUnused(before: Date, isNeeded: (instrument: StoredInstrument) => Promise<boolean>): Promise<number>;
  /** Charges once per idempotency key: a repeat returns the first outcome. `amount` is decimal text. */
  charge(reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome>;
  /** Refunds a succeeded charge once, by the idempotency key of the charge. */
  refund(idempotencyKey: string): Promise<void>;
}
