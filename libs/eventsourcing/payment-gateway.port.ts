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

/** The one door to the world of cards and banks. */
export interface PaymentGateway {
  /** Takes an instrument into the gateway's keeping. */
  tokenize(instrument: PaymentInstrument): Promise<TokenizedInstrument>;
  /** Charges once per idempotency key: asked again, it answers as the first time. Amount: decimal text. */
  charge(reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome>;
  /** Gives a succeeded charge back, once per idempotency key (the one it was charged with). */
  refund(idempotencyKey: string): Promise<void>;
}
