import type { InstrumentOutcome } from './instrument-outcome.js';
import type { BookedCharge, Books, LedgerCharge } from './ledger.js';

/** Facts written down once, by key, that many processes share; the first writer of a key counts. */
export type FactTable<T extends object> = {
  /** Writes it down unless the key has one; answers the one that counts. Durable when it answers. */
  recordOnce(key: string, record: T): Promise<T>;
  get(key: string): Promise<T | null>;
  all(): Promise<readonly T[]>;
};

/** The tables of a ledger that many processes share. */
export type SharedLedgerTables = {
  readonly instruments: FactTable<{ readonly outcome: InstrumentOutcome }>;
  readonly charges: FactTable<BookedCharge>;
  readonly refunds: FactTable<{ readonly refundedAt: string }>;
};

/** The ledger where several processes charge: nothing in it is ever changed, so nobody overwrites anybody. */
export const sharedLedger = ({ instruments, charges, refunds }: SharedLedgerTables): Books => {
  const whole = async (booked: BookedCharge): Promise<LedgerCharge> => ({
    ...booked,
    refundedAt: (await refunds.get(booked.idempotencyKey))?.refundedAt ?? null,
  });
  return {
    keepInstrument: async (reference, outcome) => void (await instruments.recordOnce(reference, { outcome })),
    instrumentOutcome: async (reference) => (await instruments.get(reference))?.outcome,
    bookCharge: (charge) => charges.recordOnce(charge.idempotencyKey, charge),
    async charge(idempotencyKey) {
      const booked = await charges.get(idempotencyKey);
      return booked ? whole(booked) : undefined;
    },
    bookRefund: async (idempotencyKey, refundedAt) => void (await refunds.recordOnce(idempotencyKey, { refundedAt })),
    charges: async () => Promise.all((await charges.all()).map(whole)),
  };
};
