import type { BookedCharge, Books, LedgerCharge, LedgerInstrument } from './ledger.js';

/** Facts written down once, by key, that many processes share; the first writer of a key counts. */
export type FactTable<T extends object> = {
  /** Writes it down unless the key has one; answers the one that counts. Durable when it answers. */
  recordOnce(key: string, record: T): Promise<T>;
  get(key: string): Promise<T | null>;
  all(): Promise<readonly T[]>;
  /** Records in the order of their keys, from behind one key to before another, at most `limit`. */
  between(after: string, before: string, limit: number): Promise<readonly { readonly key: string; readonly record: T }[]>;
  /** Whether any record has that text in that field. */
  isAny(field: keyof T & string, text: string): Promise<boolean>;
  remove(keys: readonly string[]): Promise<void>;
};

/** The tables of a ledger that many processes share. */
export type SharedLedgerTables = {
  readonly instruments: FactTable<Omit<LedgerInstrument, 'reference'>>;
  readonly charges: FactTable<BookedCharge>;
  readonly refunds: FactTable<{ readonly refundedAt: string }>;
  /** Up to which reference unused instruments were looked for: the last key. */
  readonly sweeps: FactTable<object>;
};

/** The ledger where several processes charge: nothing in it is ever changed, so nobody overwrites anybody. */
export const sharedLedger = ({ instruments, charges, refunds, sweeps }: SharedLedgerTables): Books => {
  const whole = async (booked: BookedCharge): Promise<LedgerCharge> => ({
    ...booked,
    refundedAt: (await refunds.get(booked.idempotencyKey))?.refundedAt ?? null,
  });
  return {
    keepInstrument: async ({ reference, ...kept }) => void (await instruments.recordOnce(reference, kept)),
    instrumentOutcome: async (reference) => (await instruments.get(reference))?.outcome,
    bookCharge: (charge) => charges.recordOnce(charge.idempotencyKey, charge),
    async charge(idempotencyKey) {
      const booked = await charges.get(idempotencyKey);
      return booked ? whole(booked) : undefined;
    },
    bookRefund: async (idempotencyKey, refundedAt) => void (await refunds.recordOnce(idempotencyKey, { refundedAt })),
    charges: async () => Promise.all((await charges.all()).map(whole)),
    sweptUpTo: async () => (await sweptUpTo(sweeps)).at(-1) ?? '',
    instrumentsBetween: async (after, before, limit) =>
      (await instruments.between(after, before, limit)).map(({ key, record }) => ({ reference: key, ...record })),
    isCharged: (reference) => charges.isAny('reference', reference),
    async deleteInstruments(references, upTo) {
      await instruments.remove(references);
      const earlier = await sweptUpTo(sweeps);
      await sweeps.recordOnce(upTo, {});
      await sweeps.remove(earlier.filter((key) => key < upTo));
    },
  };
};

const sweptUpTo = async (sweeps: SharedLedgerTables['sweeps']): Promise<readonly string[]> =>
  (await sweeps.between('', BEYOND_ALL, MANY)).map(({ key }) => key);

/** After every reference there is. */
const BEYOND_ALL = '\u{10FFFF}';
/** One remains of each sweep, two where a sweep was cut off. */
const MANY = 1_000;
