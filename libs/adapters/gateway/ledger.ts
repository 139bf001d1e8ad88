import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { InstrumentOutcome } from './instrument-outcome.js';
import { hasLedgerFile, openLedgerFile } from './ledger-file.js';

/** A line of the ledger: one charge, whatever became of it. */
export type LedgerCharge = {
  readonly idempotencyKey: string;
  readonly reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** `succeeded`, or why it failed. */
  readonly outcome: string;
  /** ISO 8601. */
  readonly chargedAt: string;
  /** ISO 8601; null while the money has not been given back. */
  readonly refundedAt: string | null;
};

/** A charge as it was booked. */
export type BookedCharge = Omit<LedgerCharge, 'refundedAt'>;

/** What the ledger keeps of an instrument. References are made so that they sort by the time at which they were made. */
export type LedgerInstrument = {
  readonly reference: string;
  readonly outcome: InstrumentOutcome;
  /** What was to be paid with it; absent in what an earlier version wrote. */
  readonly purpose?: string;
};

type Now<T> = T | Promise<T>;

/** What the gateway remembers of instruments and charges; durable when a call answers. Calls fail with StoreUnavailable. */
export type Books = {
  keepInstrument(instrument: LedgerInstrument): Now<void>;
  instrumentOutcome(reference: string): Now<InstrumentOutcome | undefined>;
  /** Writes the charge down unless its key has one; answers the one that counts. */
  bookCharge(charge: BookedCharge): Now<BookedCharge>;
  charge(idempotencyKey: string): Now<LedgerCharge | undefined>;
  /** Keeps the time of the first refund. */
  bookRefund(idempotencyKey: string, at: string): Now<void>;
  charges(): Now<readonly LedgerCharge[]>;
  /** Up to which reference unused instruments were looked for, '' at first. */
  sweptUpTo(): Now<string>;
  /** Instruments by reference, from behind one to before another, at most `limit`. */
  instrumentsBetween(after: string, before: string, limit: number): Now<readonly LedgerInstrument[]>;
  isCharged(reference: string): Now<boolean>;
  /** Deletes instruments, and notes up to which reference they were looked for. */
  deleteInstruments(references: readonly string[], sweptUpTo: string): Now<void>;
};

const COLUMNS = `idempotency_key AS idempotencyKey, reference, amount, currency, outcome,
  charged_at AS chargedAt, refunded_at AS refundedAt`;
/** The update that changes nothing makes RETURNING answer the row that was there first. */
const BOOK_CHARGE = `INSERT INTO charges (idempotency_key, reference, amount, currency, outcome, charged_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET idempotency_key = idempotency_key RETURNING ${COLUMNS}`;

const INSTRUMENTS = 'SELECT reference, outcome, purpose FROM instruments WHERE reference > ? AND reference < ? ORDER BY reference LIMIT ?';
/** After every reference there is. */
const BEYOND_ALL = '\u{10FFFF}';
/** SQLite's word for no limit. */
const ALL = -1;

const instrumentOf = (row: Readonly<Record<string, unknown>>): LedgerInstrument => {
  const { reference, outcome, purpose } = row as LedgerInstrument & { readonly purpose: string | null };
  return { reference, outcome, ...(purpose !== null && { purpose }) };
};

/** The rows are ours, column for column: only statements of this file read them. */
const asCharges = (rows: readonly unknown[]): readonly LedgerCharge[] => (rows as readonly LedgerCharge[]).map((row) => ({ ...row }));

/** The books of one folder, in a file of their own. */
export class Ledger implements Books {
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

  keepInstrument({ reference, outcome, purpose }: LedgerInstrument): void {
    attempt(() => this.insertInstrument.run(reference, outcome, purpose ?? null));
  }

  instrumentOutcome(reference: string): InstrumentOutcome | undefined {
    return attempt(() => this.selectOutcome.get(reference))?.['outcome'] as InstrumentOutcome | undefined;
  }

  bookCharge({ idempotencyKey, reference, amount, currency, outcome, chargedAt }: BookedCharge): LedgerCharge {
    return attempt(() => asCharges(this.insertCharge.all(idempotencyKey, reference, amount, currency, outcome, chargedAt)))[0];
  }

  charge(idempotencyKey: string): LedgerCharge | undefined {
    return attempt(() => asCharges(this.selectCharge.all(idempotencyKey)))[0];
  }

  bookRefund(idempotencyKey: string, at: string): void {
    attempt(() => this.markRefunded.run(at, idempotencyKey));
  }

  sweptUpTo(): string {
    return String(attempt(() => this.database.prepare('SELECT swept_up_to FROM sweeps').get())?.['swept_up_to']);
  }

  instrumentsBetween(after: string, before: string, limit: number): readonly LedgerInstrument[] {
    return attempt(() => this.database.prepare(INSTRUMENTS).all(after, before, limit)).map(instrumentOf);
  }

  isCharged(reference: string): boolean {
    return attempt(() => this.database.prepare('SELECT 1 FROM charges WHERE reference = ?').get(reference)) !== undefined;
  }

  deleteInstruments(references: readonly string[], sweptUpTo: string): void {
    attempt(() => {
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

  charges(): readonly LedgerCharge[] {
    return attempt(() => asCharges(this.selectCharges.all()));
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

/** A full disk or a closed file is the caller's "not now", never a fault of the payment. */
const attempt = <T>(work: () => T): T => {
  try {
    return work();
  } catch (fault) {
    throw new StoreUnavailable("the payment gateway's ledger cannot be used now", { cause: fault });
  }
};

/** Every charge that the gateway of this folder has ever made, oldest first, also while it runs. */
export const readLedger = (directory: string): readonly LedgerCharge[] => {
  if (!hasLedgerFile(directory)) return [];
  const ledger = new Ledger(directory);
  try {
    return ledger.charges();
  } finally {
    ledger.close();
  }
};

/** Carries a folder's ledger over into other books. What is there already stays; answers how many entries there were. */
export const copyLedger = async (directory: string, to: Books): Promise<number> => {
  if (!hasLedgerFile(directory)) return 0;
  const ledger = new Ledger(directory);
  try {
    const instruments = ledger.instrumentsBetween('', BEYOND_ALL, ALL);
    for (const instrument of instruments) await to.keepInstrument(instrument);
    const charges = ledger.charges();
    for (const { refundedAt, ...charge } of charges) {
      await to.bookCharge(charge);
      if (refundedAt !== null) await to.bookRefund(charge.idempotencyKey, refundedAt);
    }
    return instruments.length + charges.length;
  } finally {
    ledger.close();
  }
};
