import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { InstrumentOutcome } from './instrument-outcome.js';
import { hasLedgerFile, openLedgerFile } from './ledger-file.js';

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

type MaybePromise<T> = T | Promise<T>;

/**
 * Stores instruments and charges. A write is durable when its call returns, or when the returned promise
 * resolves. Failed calls throw or reject with StoreUnavailable.
 */
export type PaymentLedger = {
  addInstrument(instrument: LedgerInstrument): MaybePromise<void>;
  instrumentOutcome(reference: string): MaybePromise<InstrumentOutcome | undefined>;
  /** Writes the charge unless its key exists, and returns the stored charge. */
  bookCharge(charge: BookedCharge): MaybePromise<BookedCharge>;
  findCharge(idempotencyKey: string): MaybePromise<LedgerCharge | undefined>;
  /** Stores the time of a refund. Only the first refund of a charge is stored. */
  bookRefund(idempotencyKey: string, at: string): MaybePromise<void>;
  /**
   * Returns the reference up to which unused instruments have been deleted, or '' before the first deletion.
   */
  sweptUpTo(): MaybePromise<string>;
  /** Returns at most `limit` instruments, sorted by reference. Both bounds are exclusive. */
  instrumentsBetween(after: string, before: string, limit: number): MaybePromise<readonly LedgerInstrument[]>;
  isCharged(reference: string): MaybePromise<boolean>;
  /** Deletes instruments and stores the new `sweptUpTo`. */
  deleteInstruments(references: readonly string[], sweptUpTo: string): MaybePromise<void>;
};

const COLUMNS = `idempotency_key AS idempotencyKey, reference, amount, currency, outcome,
  charged_at AS chargedAt, refunded_at AS refundedAt`;
/** The update on a conflict changes nothing, but makes RETURNING return the existing row. */
const BOOK_CHARGE = `INSERT INTO charges (idempotency_key, reference, amount, currency, outcome, charged_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET idempotency_key = idempotency_key RETURNING ${COLUMNS}`;

const INSTRUMENTS = 'SELECT reference, outcome, purpose FROM instruments WHERE reference > ? AND reference < ? ORDER BY reference LIMIT ?';
/** A text that sorts after every reference. */
const AFTER_ALL_REFERENCES = '\u{10FFFF}';
/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;

const instrumentOf = (row: Readonly<Record<string, unknown>>): LedgerInstrument => {
  const { reference, outcome, purpose } = row as LedgerInstrument & { readonly purpose: string | null };
  return { reference, outcome, ...(purpose !== null && { purpose }) };
};

/** The cast is safe: callers pass only rows with the columns of COLUMNS. */
const toCharges = (rows: readonly unknown[]): readonly LedgerCharge[] => (rows as readonly LedgerCharge[]).map((row) => ({ ...row }));

/** The ledger of one folder, in its own SQLite file. */
export class SqliteLedger implements PaymentLedger {
  private readonly database: DatabaseSync;
  private readonly insertInstrument: StatementSync;
  private readonly selectOutcome: StatementSync;
  private readonly insertCharge: StatementSync;
  private readonly selectCharge: StatementSync;
  private readonly selectCharges: StatementSync;
  private readonly markRefunded: StatementSync;

  constructor(directory: string) {
    this.database = openLedgerFile(directory);
    this.insertInstrument = this.database.prepare('INSERT INTO instruments (reference, outcome, purpose) VALUES (?, ?, ?)');
    this.selectOutcome = this.database.prepare('SELECT outcome FROM instruments WHERE reference = ?');
    this.insertCharge = this.database.prepare(BOOK_CHARGE);
    this.selectCharge = this.database.prepare(`SELECT ${COLUMNS} FROM charges WHERE idempotency_key = ?`);
    this.selectCharges = this.database.prepare(`SELECT ${COLUMNS} FROM charges ORDER BY charges.rowid`);
    this.markRefunded = this.database.prepare('UPDATE charges SET refunded_at = ? WHERE idempotency_key = ? AND refunded_at IS NULL');
  }

  addInstrument({ reference, outcome, purpose }: LedgerInstrument): void {
    orUnavailable(() => this.insertInstrument.run(reference, outcome, purpose ?? null));
  }

  instrumentOutcome(reference: string): InstrumentOutcome | undefined {
    return orUnavailable(() => this.selectOutcome.get(reference))?.['outcome'] as InstrumentOutcome | undefined;
  }

  bookCharge({ idempotencyKey, reference, amount, currency, outcome, chargedAt }: BookedCharge): LedgerCharge {
    return orUnavailable(() => toCharges(this.insertCharge.all(idempotencyKey, reference, amount, currency, outcome, chargedAt)))[0];
  }

  findCharge(idempotencyKey: string): LedgerCharge | undefined {
    return orUnavailable(() => toCharges(this.selectCharge.all(idempotencyKey)))[0];
  }

  bookRefund(idempotencyKey: string, at: string): void {
    orUnavailable(() => this.markRefunded.run(at, idempotencyKey));
  }

  sweptUpTo(): string {
    return String(orUnavailable(() => this.database.prepare('SELECT swept_up_to FROM sweeps').get())?.['swept_up_to']);
  }

  instrumentsBetween(after: string, before: string, limit: number): readonly LedgerInstrument[] {
    return orUnavailable(() => this.database.prepare(INSTRUMENTS).all(after, before, limit)).map(instrumentOf);
  }

  isCharged(reference: string): boolean {
    return orUnavailable(() => this.database.prepare('SELECT 1 FROM charges WHERE reference = ?').get(reference)) !== undefined;
  }

  deleteInstruments(references: readonly string[], sweptUpTo: string): void {
    orUnavailable(() => {
      this.database.exec('BEGIN IMMEDIATE');
      try {
        const remove = this.database.prepare('DELETE FROM instruments WHERE reference = ?');
        for (const reference of references) remove.run(reference);
        this.database.prepare('UPDATE sweeps SET swept_up_to = ?').run(sweptUpTo);
        this.database.exec('COMMIT');
      } catch (fault) {
        this.database.exec('ROLLBACK');
        throw fault;
      }
    });
  }

  /** Returns all charges, oldest first. */
  allCharges(): readonly LedgerCharge[] {
    return orUnavailable(() => toCharges(this.selectCharges.all()));
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

/**
 * Converts every error, such as a full disk, to StoreUnavailable. The caller then retries the call. With any other error,
 * the payment would fail.
 */
const orUnavailable = <T>(work: () => T): T => {
  try {
    return work();
  } catch (fault) {
    throw new StoreUnavailable("the payment gateway's ledger is unavailable", { cause: fault });
  }
};

/**
 * Copies the ledger of a folder to another ledger. Skips entries that the other ledger already has. Returns
 * the number of instruments and charges in the folder, or 0 if it has no ledger.
 */
export const copyLedger = async (directory: string, to: PaymentLedger): Promise<number> => {
  if (!hasLedgerFile(directory)) return 0;
  const ledger = new SqliteLedger(directory);
  try {
    const instruments = ledger.instrumentsBetween('', AFTER_ALL_REFERENCES, NO_LIMIT);
    for (const instrument of instruments) await to.addInstrument(instrument);
    const charges = ledger.allCharges();
    for (const { refundedAt, ...charge } of charges) {
      await to.bookCharge(charge);
      if (refundedAt !== null) await to.bookRefund(charge.idempotencyKey, refundedAt);
    }
    return instruments.length + charges.length;
  } finally {
    ledger.close();
  }
};
