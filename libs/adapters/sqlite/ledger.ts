import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { BookedCharge, InstrumentOutcome, LedgerCharge, LedgerInstrument, PaymentLedger } from '../../ports/payment-ledger.port.js';
import { queueOf, type CommitQueue, type WriteKeys } from './commits/commit-queue.js';
import { openDatabase, type Database } from './folder/database.js';
import { LEDGER_FILE } from './folder/file-names.js';
import { LEDGER_MIGRATIONS, migrate } from './folder/migrations.js';

const COLUMNS = `idempotency_key AS idempotencyKey, reference, amount, currency, outcome,
  charged_at AS chargedAt, refunded_at AS refundedAt`;
const CHARGE = `SELECT ${COLUMNS} FROM charges WHERE idempotency_key = ?`;
const CHARGES = `SELECT ${COLUMNS} FROM charges ORDER BY charges.rowid`;
const BOOK_CHARGE =
  'INSERT INTO charges (idempotency_key, reference, amount, currency, outcome, charged_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
const BOOK_REFUND = 'UPDATE charges SET refunded_at = ? WHERE idempotency_key = ? AND refunded_at IS NULL';
const IS_CHARGED = 'SELECT 1 FROM charges WHERE reference = ?';
const ADD_INSTRUMENT = 'INSERT INTO instruments (reference, outcome, purpose) VALUES (?, ?, ?)';
const OUTCOME = 'SELECT outcome FROM instruments WHERE reference = ?';
const INSTRUMENTS = 'SELECT reference, outcome, purpose FROM instruments WHERE reference > ? AND reference < ? ORDER BY reference LIMIT ?';
const DELETE_INSTRUMENT = 'DELETE FROM instruments WHERE reference = ?';
const SWEPT = 'SELECT swept_up_to FROM sweeps';
const SET_SWEPT = 'UPDATE sweeps SET swept_up_to = ?';

/** A text that sorts after every reference. */
const AFTER_ALL_REFERENCES = '\u{10FFFF}';
/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;

/** A ledger with an open file. */
export type OpenLedger = PaymentLedger & {
  /** Returns all charges, oldest first. */
  allCharges(): Promise<readonly LedgerCharge[]>;
  close(): Promise<void>;
};

/**
 * Opens the payment gateway's ledger in a folder. With the directory `:memory:`, it has no file. Throws FolderRefused if the file
 * cannot be used.
 */
export const openLedger = (directory: string): OpenLedger => {
  const database = openDatabase(directory, LEDGER_FILE);
  try {
    migrate(database, LEDGER_MIGRATIONS);
    // Fails now if a table is missing.
    for (const sql of [CHARGE, INSTRUMENTS, SWEPT]) database.statement(sql);
    return new SqliteLedger(database, queueOf(directory, LEDGER_FILE, database));
  } catch (error) {
    database.close();
    throw error;
  }
};

class SqliteLedger implements OpenLedger {
  private closing: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly queue: CommitQueue,
  ) {}

  addInstrument({ reference, outcome, purpose }: LedgerInstrument): Promise<void> {
    return this.write([], (database) => database.write(ADD_INSTRUMENT, reference, outcome, purpose ?? null));
  }

  async instrumentOutcome(reference: string): Promise<InstrumentOutcome | undefined> {
    return (await this.row(OUTCOME, reference))?.['outcome'] as InstrumentOutcome | undefined;
  }

  async bookCharge(charge: BookedCharge): Promise<BookedCharge> {
    const { idempotencyKey, reference, amount, currency, outcome, chargedAt } = charge;
    await this.write([], (database) => database.write(BOOK_CHARGE, idempotencyKey, reference, amount, currency, outcome, chargedAt));
    // Another call, perhaps in another process, may have stored its charge first.
    return (await this.findCharge(idempotencyKey)) ?? charge;
  }

  async findCharge(idempotencyKey: string): Promise<LedgerCharge | undefined> {
    const row = await this.row(CHARGE, idempotencyKey);
    return row && chargeOf(row);
  }

  bookRefund(idempotencyKey: string, at: string): Promise<void> {
    return this.write([], (database) => database.write(BOOK_REFUND, at, idempotencyKey));
  }

  async sweptUpTo(): Promise<string> {
    return String((await this.row(SWEPT))?.['swept_up_to']);
  }

  async instrumentsBetween(after: string, before: string, limit: number): Promise<readonly LedgerInstrument[]> {
    return (await this.rows(INSTRUMENTS, after, before, limit)).map(instrumentOf);
  }

  async isCharged(reference: string): Promise<boolean> {
    return (await this.row(IS_CHARGED, reference)) !== undefined;
  }

  deleteInstruments(references: readonly string[], sweptUpTo: string): Promise<void> {
    return this.write('alone', (database) => {
      for (const reference of references) database.write(DELETE_INSTRUMENT, reference);
      database.write(SET_SWEPT, sweptUpTo);
    });
  }

  async allCharges(): Promise<readonly LedgerCharge[]> {
    return (await this.rows(CHARGES)).map(chargeOf);
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    await this.queue.close();
    this.database.close();
  }

  private async row(sql: string, ...values: readonly SQLInputValue[]): Promise<Row | undefined> {
    return (await this.rows(sql, ...values))[0];
  }

  private rows(sql: string, ...values: readonly SQLInputValue[]): Promise<readonly Row[]> {
    return orUnavailable(async () => this.database.statement(sql).all(...values));
  }

  private write(keys: WriteKeys, work: (database: Database) => void): Promise<void> {
    return orUnavailable(() => this.queue.write(keys, () => work(this.database)));
  }
}

type Row = Readonly<Record<string, unknown>>;

/** The casts are safe: callers pass only rows with the columns of the type. */
const chargeOf = (row: Row): LedgerCharge => ({ ...(row as LedgerCharge) });

const instrumentOf = (row: Row): LedgerInstrument => {
  const { reference, outcome, purpose } = row as LedgerInstrument & { readonly purpose: string | null };
  return { reference, outcome, ...(purpose !== null && { purpose }) };
};

/**
 * Converts every error, such as a full disk, to StoreUnavailable. The caller then retries the call. With any other error,
 * the payment would fail.
 */
const orUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new StoreUnavailable("the payment gateway's ledger is unavailable", { cause: error });
  }
};

/**
 * Copies the ledger of a folder to another ledger. Skips entries that the other ledger already has. Returns
 * the number of instruments and charges in the folder, or 0 if it has no ledger.
 */
export const copyLedger = async (directory: string, to: PaymentLedger): Promise<number> => {
  if (!existsSync(join(directory, LEDGER_FILE))) return 0;
  const ledger = openLedger(directory);
  try {
    const instruments = await ledger.instrumentsBetween('', AFTER_ALL_REFERENCES, NO_LIMIT);
    for (const instrument of instruments) await to.addInstrument(instrument);
    const charges = await ledger.allCharges();
    for (const { refundedAt, ...charge } of charges) {
      await to.bookCharge(charge);
      if (refundedAt !== null) await to.bookRefund(charge.idempotencyKey, refundedAt);
    }
    return instruments.length + charges.length;
  } finally {
    await ledger.close();
  }
};
