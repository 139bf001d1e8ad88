import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Collection, Scalar, StoredDocument } from '../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Work } from '../../libs/eventsourcing/ports/work-queue.port.js';

type Cell = { readonly values: readonly Scalar[]; readonly amount: number };

/** The log and the read models on disk, read in one transaction. */
export type Snapshot = {
  readonly events: readonly StoredEvent[];
  readonly documents: (collection: Collection) => readonly StoredDocument[];
  readonly cells: (collection: Collection) => readonly Cell[];
};

/** The file of the log and the read models. Besides the adapter, only this code depends on its layout. */
const LOG_FILE = 'petstore.sqlite';

const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`;

type Row = Readonly<Record<string, Scalar | Uint8Array>>;

/** Opens the database file of a folder for `read`. It also works while a service uses the folder. */
const reading = <T>(dataDir: string, read: (rows: (sql: string) => readonly Row[]) => T): T => {
  const database = new DatabaseSync(join(dataDir, LOG_FILE), { readOnly: true, timeout: 5000 });
  try {
    database.exec('BEGIN');
    return read((sql) => database.prepare(sql).all() as readonly Row[]);
  } finally {
    database.close();
  }
};

/** Reads the database file of a folder. It also works while a service uses the folder. */
export const snapshotOf = (dataDir: string): Snapshot =>
  reading(dataDir, (rows) => {
    const tables = rows(TABLES).map(({ name }) => String(name));
    const contents = new Map(tables.filter((name) => /_v\d+(_cells)?$/.test(name)).map((name) => [name, rows(`SELECT * FROM "${name}"`)]));
    const events = rows('SELECT position, stream, revision, id, type, data, metadata FROM events ORDER BY position');
    return {
      events: events as unknown as readonly StoredEvent[],
      documents: (collection) => (contents.get(tableOf(collection)) ?? []).map((row) => documentOf(collection, row)),
      cells: (collection) => (contents.get(`${tableOf(collection)}_cells`) ?? []).map((row) => cellOf(collection, row)),
    };
  });

/** Returns every row of every table in the database file, by the name of the table. */
export const rowsIn = (dataDir: string): Readonly<Record<string, readonly Row[]>> =>
  reading(dataDir, (rows) => Object.fromEntries(rows(TABLES).map(({ name }) => [String(name), rows(`SELECT * FROM "${String(name)}"`)])));

/** Returns the names of all tables in the database file. */
export const tablesIn = (dataDir: string): readonly string[] => reading(dataDir, (rows) => rows(TABLES).map(({ name }) => String(name)));

/** Returns the table of a collection's documents. The table of its counters has the suffix `_cells`. */
const tableOf = ({ name, version }: Collection): string => `${name}_v${version}`;

const documentOf = ({ fields }: Collection, row: Row): StoredDocument => ({
  key: String(row['key']),
  json: String(row['json']),
  revision: Number(row['revision']),
  fields: Object.fromEntries(Object.keys(fields).map((name) => [name, valueOf(row, name)])),
});

/** Returns a value of a row. In a cell's key, the adapter stores null as an empty blob, because in SQL no NULL equals another. */
const valueOf = (row: Row, name: string): Scalar => {
  const value = row[name];
  return value === undefined || ArrayBuffer.isView(value) ? null : value;
};

const cellOf = ({ cells }: Collection, row: Row): Cell => ({
  values: cells.map((name) => valueOf(row, name)),
  amount: Number(row['amount']),
});

/** Opens the database file of a folder for `change`, as somebody with access to the machine could. */
const changing = <T>(dataDir: string, change: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(join(dataDir, LOG_FILE), { timeout: 5000 });
  try {
    return change(database);
  } finally {
    database.close();
  }
};

/** Changes recorded events directly in the file, as an attacker would. Returns their number. */
export const tamperWith = (dataDir: string, stream: string, from: string, to: string): number =>
  changing(dataDir, (database) =>
    Number(
      database.prepare('UPDATE events SET data = replace(data, ?, ?) WHERE stream = ? AND instr(data, ?) > 0').run(from, to, stream, from)
        .changes,
    ),
  );

/** Replaces all work of a queue by work that is due now. */
export const replaceWork = (dataDir: string, queue: string, works: readonly Work[]): void =>
  changing(dataDir, (database) => {
    database.prepare('DELETE FROM work WHERE queue = ?').run(queue);
    const insert = database.prepare('INSERT INTO work (queue, id, lane, data, attempt, next, retries) VALUES (?, ?, ?, ?, 0, 0, 0)');
    for (const { id, lane, data } of works) insert.run(queue, id, lane, data);
  });
