import type { BookedCharge, LedgerCharge, LedgerInstrument, PaymentLedger } from '../../ports/payment-ledger.port.js';

/** Write-once records by key, shared by many processes. Of several writes with the same key, the first one is stored. */
export type WriteOnceTable<T extends object> = {
  /** Writes the record unless the key exists, and returns the stored record, which is durable. */
  recordOnce(key: string, record: T): Promise<T>;
  get(key: string): Promise<T | null>;
  /** Returns at most `limit` records, sorted by key. Both bounds are exclusive. */
  between(after: string, before: string, limit: number): Promise<readonly { readonly key: string; readonly record: T }[]>;
  /** Returns whether any record has the value `text` in this field. */
  hasRecord(field: keyof T & string, text: string): Promise<boolean>;
  remove(keys: readonly string[]): Promise<void>;
};

/** The tables of a ledger that many processes share. */
export type SharedLedgerTables = {
  readonly instruments: WriteOnceTable<Omit<LedgerInstrument, 'reference'>>;
  readonly charges: WriteOnceTable<BookedCharge>;
  readonly refunds: WriteOnceTable<{ readonly refundedAt: string }>;
  /** The last key of this table is the reference up to which unused instruments have been deleted. */
  readonly sweeps: WriteOnceTable<object>;
};

/**
 * Creates a ledger that several processes share. Records are written once and never updated, so no process overwrites a
 * record of another process.
 */
export const sharedLedger = ({ instruments, charges, refunds, sweeps }: SharedLedgerTables): PaymentLedger => {
  const withRefund = async (booked: BookedCharge): Promise<LedgerCharge> => ({
    ...booked,
    refundedAt: (await refunds.get(booked.idempotencyKey))?.refundedAt ?? null,
  });
  return {
    addInstrument: async ({ reference, ...instrument }) => void (await instruments.recordOnce(reference, instrument)),
    instrumentOutcome: async (reference) => (await instruments.get(reference))?.outcome,
    bookCharge: (charge) => charges.recordOnce(charge.idempotencyKey, charge),
    async findCharge(idempotencyKey) {
      const booked = await charges.get(idempotencyKey);
      return booked ? withRefund(booked) : undefined;
    },
    bookRefund: async (idempotencyKey, refundedAt) => void (await refunds.recordOnce(idempotencyKey, { refundedAt })),
    sweptUpTo: async () => (await sweptUpTo(sweeps)).at(-1) ?? '',
    instrumentsBetween: async (after, before, limit) =>
      (await instruments.between(after, before, limit)).map(({ key, record }) => ({ reference: key, ...record })),
    isCharged: (reference) => charges.hasRecord('reference', reference),
    async deleteInstruments(references, upTo) {
      await instruments.remove(references);
      const earlier = await sweptUpTo(sweeps);
      // The new key is written before the earlier keys are removed, so that an interruption does not lose the reference.
      await sweeps.recordOnce(upTo, {});
      await sweeps.remove(earlier.filter((key) => key < upTo));
    },
  };
};

const sweptUpTo = async (sweeps: SharedLedgerTables['sweeps']): Promise<readonly string[]> =>
  (await sweeps.between('', AFTER_ALL_REFERENCES, MAX_SWEEPS)).map(({ key }) => key);

/** A text that sorts after every reference. */
const AFTER_ALL_REFERENCES = '\u{10FFFF}';
/** Maximum number of records read from `sweeps`. Usually the table has one record. An interrupted deletion leaves two. */
const MAX_SWEEPS = 1_000;
