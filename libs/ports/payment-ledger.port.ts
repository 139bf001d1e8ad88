/** Every reason for a failed charge. */
export const FAILURE_REASONS = [
  'card_declined',
  'insufficient_funds',
  'processing_error',
  'bank_debit_failed',
  /** The gateway has no instrument with the reference in the charge. */
  'instrument_unknown',
] as const;
type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * The result of every charge of an instrument, which is a card or a bank account. The number of the instrument decides the
 * result. The ledger stores the result instead of the number.
 */
export type InstrumentOutcome = 'succeeds' | 'succeeds_slowly' | FailureReason;

/** A stored charge, successful or failed. */
export type LedgerCharge = {
  readonly idempotencyKey: string;
  readonly reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** `succeeded`, or why the charge failed. */
  readonly outcome: string;
  /** ISO 8601. */
  readonly chargedAt: string;
  /** ISO 8601; null until the charge is refunded. */
  readonly refundedAt: string | null;
};

/** A charge as it is first stored, before any refund. */
export type BookedCharge = Omit<LedgerCharge, 'refundedAt'>;

/** A stored payment instrument. References sort by creation time. */
export type LedgerInstrument = {
  readonly reference: string;
  readonly outcome: InstrumentOutcome;
  /**
   * The name of the stream whose events contain the reference, for example the stream of the order that the instrument pays
   * for. Instruments from version 1 of the ledger have no purpose.
   */
  readonly purpose?: string;
};

/**
 * The instruments and charges of the simulated payment gateway. A write is durable when its promise resolves. Every method
 * rejects with StoreUnavailable while the ledger cannot be used.
 */
export interface PaymentLedger {
  addInstrument(instrument: LedgerInstrument): Promise<void>;
  instrumentOutcome(reference: string): Promise<InstrumentOutcome | undefined>;
  /** Writes the charge unless its key exists, and returns the stored charge. */
  bookCharge(charge: BookedCharge): Promise<BookedCharge>;
  findCharge(idempotencyKey: string): Promise<LedgerCharge | undefined>;
  /** Stores the time of a refund. Only the first refund of a charge is stored. */
  bookRefund(idempotencyKey: string, at: string): Promise<void>;
  /** Returns the reference up to which unused instruments have been deleted, or '' before the first deletion. */
  sweptUpTo(): Promise<string>;
  /** Returns at most `limit` instruments, sorted by reference. Both bounds are exclusive. */
  instrumentsBetween(after: string, before: string, limit: number): Promise<readonly LedgerInstrument[]>;
  isCharged(reference: string): Promise<boolean>;
  /** Deletes instruments and stores the new `sweptUpTo`. */
  deleteInstruments(references: readonly string[], sweptUpTo: string): Promise<void>;
}
