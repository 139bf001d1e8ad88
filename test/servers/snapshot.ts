import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Collection, Scalar, StoredDocument } from '../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';

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

/** Reads the database file of a folder. It also works while a service uses the folder. */
export const snapshotOf = (dataDir: string): Snapshot => {
  const database = new DatabaseSync(join(dataDir, LOG_FILE), { readOnly: true, timeout: 5000 });
  try {
    database.exec('BEGIN');
    const rows = (sql: string): readonly Row[] => database.prepare(sql).all() as readonly Row[];
    const tables = rows(TABLES).map(({ name }) => String(name));
    const contents = new Map(tables.filter((name) => /_v\d+(_cells)?$/.test(name)).map((name) => [name, rows(`SELECT * FROM "${name}"`)]));
    const events = rows('SELECT position, stream, revision, id, type, data, metadata FROM events ORDER BY position');
    return {
      events: events as unknown as readonly StoredEvent[],
      documents: (collection) => (contents.get(tableOf(collection)) ?? []).map((row) => documentOf(collection, row)),
      cells: (collection) => (contents.get(`${tableOf(collection)}_cells`) ?? []).map((row) => cellOf(collection, row)),
    };
  } finally {
    database.close();
  }
};

/** Returns every row of every table in the database file, by the name of the table. */
export const rowsIn = (dataDir: string): Readonly<Record<string, readonly Row[]>> => {
  const database = new DatabaseSync(join(dataDir, LOG_FILE), { readOnly: true, timeout: 5000 });
  try {
    const names = (database.prepare(TABLES).all() as readonly Row[]).map(({ name }) => String(name));
    return Object.fromEntries(names.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all() as readonly Row[]]));
  } finally {
    database.close();
  }
};

/** Returns the names of all tables in the database file. */
export const tablesIn = (dataDir: string): readonly string[] => {
  const database = new DatabaseSync(join(dataDir, LOG_FILE), { readOnly: true, timeout: 5000 });
  try {
    return database
      .prepare(TABLES)
      .all()
      .map(({ name }) => String(name));
  } finally {
    database.close();
  }
};

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

/** Changes recorded events directly in the file, as an attacker would. Returns their number. */
export const tamperWith = (dataDir: string, stream: string, from: string, to: string): number => {
  const database = new DatabaseSync(join(dataDir, LOG_FILE), { timeout: 5000 });
  try {
    return Number(
      database.prepare('UPDATE events SET data = replace(data, ?, ?) WHERE stream = ? AND instr(data, ?) > 0').run(from, to, stream, from)
        .changes,
    );
  } finally {
    database.close();
  }
};
