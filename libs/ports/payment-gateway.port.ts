/** What a payer hands over, in the clear; it goes to the gateway and nowhere else. */
export type PaymentInstrument =
  | { readonly object: 'card'; readonly number: string; readonly cvc?: string; readonly expMonth: number; readonly expYear: number }
  | { readonly object: 'bank_account'; readonly number: string; readonly sortCode?: string };

/** What may be kept of an instrument. `reference` is opaque and useless elsewhere; `fingerprint` is equal for equal numbers. */
export type TokenizedInstrument = {
  readonly reference: string;
  readonly fingerprint: string;
  readonly last4: string;
  /** Lower case, as `visa`; cards only. */
  readonly brand?: string;
};

/** What came of a charge, once and for all. */
export type ChargeOutcome = { readonly status: 'succeeded' } | { readonly status: 'failed'; readonly reason: string };

/** What is known of an instrument that the gateway has not taken into its keeping. */
export type IdentifiedInstrument = Omit<TokenizedInstrument, 'reference'>;

/** An instrument in the gateway's keeping. */
export type KeptInstrument = {
  readonly reference: string;
  /** As it was given to `tokenize`. */
  readonly purpose: string;
};

/** The one door to the world of cards and banks. */
export interface PaymentGateway {
  /** Says of an instrument what `tokenize` would, and keeps nothing. */
  identify(instrument: PaymentInstrument): Promise<IdentifiedInstrument>;
  /** Takes an instrument into the gateway's keeping. `purpose` is the stream of what is paid with it: where `reference` is looked for. */
  tokenize(instrument: PaymentInstrument, purpose: string): Promise<TokenizedInstrument>;
  /**
   * Deletes the instruments that were taken in before `before`, that no charge was made with and that are not needed;
   * each is asked about once, and kept for good where it is needed. Resolves with how many were deleted. Rejects, and
   * goes on there the next time, where `isNeeded` rejects.
   */
  deleteUnused(before: Date, isNeeded: (instrument: KeptInstrument) => Promise<boolean>): Promise<number>;
  /** Charges once per idempotency key: asked again, it answers as the first time. Amount: decimal text. */
  charge(reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome>;
  /** Gives a succeeded charge back, once per idempotency key (the one it was charged with). */
  refund(idempotencyKey: string): Promise<void>;
}
