import { checkpointOf, type Collection } from '../../../eventsourcing/ports/documents.port.js';
import { CHECK } from './row-checksum.js';

const IDENTIFIER = /^[a-z_][A-Za-z0-9_]*$/;

/** Quotes a name from a collection's declaration for the text of a statement. Values from clients are always bound instead. */
export const quote = (name: string): string => {
  if (!IDENTIFIER.test(name)) throw new Error(`${name} cannot name a table or a column`);
  return `"${name}"`;
};

/** Returns the field name of a sort or index entry, without the leading `-` that means descending order. */
export const fieldNameOf = (field: string): string => (field.startsWith('-') ? field.slice(1) : field);

const isDescending = (field: string): boolean => field.startsWith('-');

/** Returns the name of a version's table, which is also the name of its checkpoint, such as `pets_v1`. */
export const tableNameOf = checkpointOf;

/** An index: its columns as text, and the statement that creates it with a name. */
type DeclaredIndex = { readonly columns: string; readonly create: (name: string) => string };

/** Returns the columns in the statement that created an index. SQLite stores the statement as it was, with the current name of the table. */
export const columnsIn = (sql: string): string => sql.slice(sql.indexOf('('));

/** The SQL statements of a collection, created once from its declaration. */
type DeclaredSql = {
  /** The quoted name of the table of documents. */
  readonly table: string;
  /** The quoted name of the table of cells. */
  readonly cells: string;
  readonly fieldNames: readonly string[];
  readonly create: readonly string[];
  /** Adds the checksum column to a table that an earlier version of the software created. */
  readonly addCheck: string;
  readonly drop: readonly string[];
  /** The indexes, by their names. */
  readonly indexes: ReadonlyMap<string, DeclaredIndex>;
  /** The columns of a document, for the text of a SELECT. */
  readonly columns: string;
  /** Inserts a document, or updates all fields of an existing document. */
  readonly put: string;
  /** Inserts a document, or updates only the fields in `changed` of an existing document. */
  readonly putChanged: (changed: readonly string[]) => string;
  readonly get: string;
  /** Selects the tenant of a document. Null if the collection has no field `tenant`. */
  readonly tenantOf: string | null;
  readonly remove: string;
  /** Adds to the amount of a cell, or creates the cell. */
  readonly increment: string;
  /** Deletes a cell if its amount is zero. */
  readonly deleteZero: string;
};

const cache = new WeakMap<Collection, DeclaredSql>();

/** Returns the statements of a collection. */
export const sqlOf = (collection: Collection): DeclaredSql => {
  let sql = cache.get(collection);
  if (!sql) cache.set(collection, (sql = createSql(collection)));
  return sql;
};

/** Returns the placeholders of bound values. */
const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

const createSql = (collection: Collection): DeclaredSql => {
  const table = quote(tableNameOf(collection));
  const cells = quote(`${tableNameOf(collection)}_cells`);
  const fieldNames = Object.keys(collection.fields);
  const columns = ['key', 'json', 'revision', CHECK, ...fieldNames.map(quote)].join(', ');
  // Four columns precede the fields: key, json, revision and the checksum.
  const insert = `INSERT INTO ${table} (${columns}) VALUES (${marks(fieldNames.length + 4)}) ON CONFLICT (key) DO UPDATE SET`;
  const putChanged = (changed: readonly string[]): string =>
    `${insert} ${['json', 'revision', CHECK, ...changed.map(quote)].map((name) => `${name} = excluded.${name}`).join(', ')}`;
  const cellNames = collection.cells.map(quote);
  return {
    table,
    cells,
    fieldNames,
    create: [documentsTable(collection, table), ...(cellNames.length > 0 ? [cellsTable(cellNames, cells)] : [])],
    addCheck: `ALTER TABLE ${table} ADD COLUMN ${CHECK} INTEGER`,
    drop: [`DROP TABLE IF EXISTS ${table}`, `DROP TABLE IF EXISTS ${cells}`],
    indexes: new Map(collection.indexes.map((index) => indexOf(collection, table, index))),
    columns,
    put: putChanged(fieldNames),
    putChanged,
    get: `SELECT ${columns} FROM ${table} WHERE key = ?`,
    tenantOf: 'tenant' in collection.fields ? `SELECT tenant FROM ${table} WHERE key = ?` : null,
    remove: `DELETE FROM ${table} WHERE key = ?`,
    increment: `INSERT INTO ${cells} (${[...cellNames, 'amount'].join(', ')}) VALUES (${marks(cellNames.length + 1)}) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
    deleteZero: `DELETE FROM ${cells} WHERE ${cellNames.map((name) => `${name} = ?`).join(' AND ')} AND amount = 0`,
  };
};

const documentsTable = ({ fields }: Collection, table: string): string => {
  const columns = Object.entries(fields).map(([name, type]) => `, ${quote(name)} ${type === 'text' ? 'TEXT' : 'INTEGER'}`);
  return `CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, json TEXT NOT NULL, revision INTEGER NOT NULL, ${CHECK} INTEGER${columns.join('')}) STRICT`;
};

const cellsTable = (names: readonly string[], table: string): string => {
  const columns = names.map((name) => `${name} ANY NOT NULL`).join(', ');
  return `CREATE TABLE IF NOT EXISTS ${table} (${columns}, amount INTEGER NOT NULL, PRIMARY KEY (${names.join(', ')})) STRICT, WITHOUT ROWID`;
};

/**
 * Returns an index with its name. If the declared index lacks the document's key, the key is added in descending order.
 * The key makes the order of documents unique.
 */
const indexOf = (collection: Collection, table: string, index: readonly string[]): readonly [string, DeclaredIndex] => {
  const name = `${tableNameOf(collection)}_by_${index.map((field) => fieldNameOf(field) + (isDescending(field) ? '_down' : '')).join('_')}`;
  const ordered = index.some((field) => fieldNameOf(field) === 'key') ? index : [...index, '-key'];
  const columns = `(${ordered.map((field) => quote(fieldNameOf(field)) + (isDescending(field) ? ' DESC' : '')).join(', ')})`;
  return [name, { columns, create: (own) => `CREATE INDEX IF NOT EXISTS ${quote(own)} ON ${table} ${columns}` }];
};

/**
 * Converts a sort to SQL. Nulls are last. Documents with equal fields are in descending order of the key, or in ascending
 * order if `sort` ends with `key`.
 */
export const orderOf = (collection: Collection, sort: readonly string[]): string => {
  const last = sort.at(-1) ?? '';
  const fields = fieldNameOf(last) === 'key' ? sort.slice(0, -1) : sort;
  const terms = fields.map((field) => {
    if (!(fieldNameOf(field) in collection.fields)) throw new Error(`${collection.name} has no field ${fieldNameOf(field)}`);
    // In descending order SQLite sorts nulls last by default.
    return `${quote(fieldNameOf(field))} ${isDescending(field) ? 'DESC' : 'ASC NULLS LAST'}`;
  });
  return [...terms, last === 'key' ? 'key ASC' : 'key DESC'].join(', ');
};
