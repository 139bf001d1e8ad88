import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreUnavailable } from '../../eventsourcing/event-store.port.js';
import type { InstrumentOutcome } from './instrument-outcome.js';

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

/** What the ledger keeps of an instrument. */
export type LedgerInstrument = { readonly reference: string; readonly outcome: InstrumentOutcome };

type Now<T> = T | Promise<T>;

/** What the gateway remembers of instruments and charges; durable when a call answers. Calls fail with StoreUnavailable. */
export type Books = {
  keepInstrument(reference: string, outcome: InstrumentOutcome): Now<void>;
  instrumentOutcome(reference: string): Now<InstrumentOutcome | undefined>;
  /** Writes the charge down unless its key has one; answers the one that counts. */
  bookCharge(charge: BookedCharge): Now<BookedCharge>;
  charge(idempotencyKey: string): Now<LedgerCharge | undefined>;
  /** Keeps the time of the first refund. */
  bookRefund(idempotencyKey: string, at: string): Now<void>;
  charges(): Now<readonly LedgerCharge[]>;
};

const FILE = 'gateway.sqlite';
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE instruments (
    reference TEXT PRIMARY KEY,
    outcome TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE charges (
    idempotency_key TEXT PRIMARY KEY,
    reference TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency TEXT NOT NULL,
    outcome TEXT NOT NULL,
    charged_at TEXT NOT NULL,
    refunded_at TEXT
  ) STRICT;
`;

const COLUMNS = `idempotency_key AS idempotencyKey, reference, amount, currency, outcome,
  charged_at AS chargedAt, refunded_at AS refundedAt`;
/** The update that changes nothing makes RETURNING answer the row that was there first. */
const BOOK_CHARGE = `INSERT INTO charges (idempotency_key, reference, amount, currency, outcome, charged_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET idempotency_key = idempotency_key RETURNING ${COLUMNS}`;

/** The rows are ours, column for column: only statements of this file read them. */
const asCharges = (rows: readonly unknown[]): readonly LedgerCharge[] => (rows as readonly LedgerCharge[]).map((row) => ({ ...row }));

/** Owner-only from its first byte on; SQLite gives the files beside it the same permissions. */
const ownerOnlyFile = (directory: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, FILE);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
};

const migrate = (database: DatabaseSync): void => {
  // One process makes the tables, another that opens at the same time finds them made.
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version > SCHEMA_VERSION)
      throw new Error(
        `${FILE} was written by a newer version of the store (${version}); this one reads ${SCHEMA_VERSION}: start that version, or restore a backup`,
      );
    if (version === 0) database.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (fault) {
    database.exec('ROLLBACK');
    throw fault;
  }
};

const openDatabase = (directory: string): DatabaseSync => {
  const database = new DatabaseSync(directory === ':memory:' ? directory : ownerOnlyFile(directory), { timeout: 5000 });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    migrate(database);
    return database;
  } catch (fault) {
    database.close();
    throw fault;
  }
};

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
    this.database = openDatabase(directory);
    this.insertInstrument = this.database.prepare('INSERT INTO instruments (reference, outcome) VALUES (?, ?)');
    this.selectOutcome = this.database.prepare('SELECT outcome FROM instruments WHERE reference = ?');
    this.insertCharge = this.database.prepare(BOOK_CHARGE);
    this.selectCharge = this.database.prepare(`SELECT ${COLUMNS} FROM charges WHERE idempotency_key = ?`);
    this.selectCharges = this.database.prepare(`SELECT ${COLUMNS} FROM charges ORDER BY charges.rowid`);
    this.markRefunded = this.database.prepare('UPDATE charges SET refunded_at = ? WHERE idempotency_key = ? AND refunded_at IS NULL');
  }

  keepInstrument(reference: string, outcome: InstrumentOutcome): void {
    attempt(() => this.insertInstrument.run(reference, outcome));
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

  /** Every instrument, by its reference. */
  instruments(): readonly LedgerInstrument[] {
    const rows: readonly unknown[] = attempt(() =>
      this.database.prepare('SELECT reference, outcome FROM instruments ORDER BY reference').all(),
    );
    return (rows as readonly LedgerInstrument[]).map((row) => ({ ...row }));
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
  if (!existsSync(join(directory, FILE))) return [];
  const ledger = new Ledger(directory);
  try {
    return ledger.charges();
  } finally {
    ledger.close();
  }
};

/** Carries a folder's ledger over into other books. What is there already stays; answers how many entries there were. */
export const copyLedger = async (directory: string, to: Books): Promise<number> => {
  if (!existsSync(join(directory, FILE))) return 0;
  const ledger = new Ledger(directory);
  try {
    const instruments = ledger.instruments();
    for (const { reference, outcome } of instruments) await to.keepInstrument(reference, outcome);
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
