import type { SQLInputValue } from 'node:sqlite';
import type {
  Collection,
  DocumentWrite,
  DocumentQuery,
  Scalar,
  StoredDocument,
  Where,
} from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';
import type { SearchThread } from '../search/search-thread.js';
import { clauseOf, cellValueOf, NULL_CELL } from './conditions.js';
import { quote, sqlOf, tableNameOf } from './declared-sql.js';
import { countSqlOf, pageNameOf, pageSqlOf } from './query-sql.js';
import { DocumentCache } from './document-cache.js';
import { QueryCache } from './query-cache.js';
import { damagedRow, rowsOf } from './row-check.js';
import { checkOf, isDamaged, type Row } from './row-checksum.js';

type TotalsByGroup = Readonly<Record<string, number>>;

/**
 * Reads and writes documents and cells synchronously, so that they can change within an append's transaction.
 * `get` and `find` read documents from `collection`, and return the fields of `requested`. While the version `requested` is
 * not complete, `collection` is its fallback, an older version. Otherwise both are the same version. Reading a damaged row
 * throws StoreUnavailable.
 */
export class DocumentTables {
  readonly queryCache = new QueryCache();
  private readonly cache: DocumentCache;
  /**
   * The cache invalidations of a recorded transaction. They run again after the commit thread has run the transaction, because
   * earlier reads may have cached the old state again.
   */
  private pendingInvalidations: (() => void)[] = [];
  /** The keys of the documents that a recorded transaction changes, by table, of collections with an index in memory. */
  private readonly changedKeys = new Map<string, Set<string>>();

  /**
   * `rebuilt` are the names of the collections that projections fill. Only these collections can be rebuilt. `searches` is null for
   * a store in memory, which is searched on the main thread.
   */
  constructor(
    private readonly database: Database,
    private readonly rebuilt: ReadonlySet<string>,
    private readonly searches: Pick<SearchThread, 'onChanged' | 'onReplaced'> | null = null,
  ) {
    this.cache = new DocumentCache(database);
  }

  get(collection: Collection, key: string, requested: Collection = collection): StoredDocument | null {
    // Documents with the fields of another version are not cached.
    if (requested !== collection) return this.read(collection, key, requested);
    const { table } = sqlOf(collection);
    const cached = this.cache.get(table, key);
    if (cached) return cached;
    const document = this.read(collection, key, requested);
    if (document) this.cache.add(table, document);
    return document;
  }

  /** Returns a document as `get` does, and leaves the cache as it is: for documents that are hardly read again soon. */
  peek(collection: Collection, key: string, requested: Collection = collection): StoredDocument | null {
    const cached = requested === collection ? this.cache.get(sqlOf(collection).table, key) : undefined;
    return cached ?? this.read(collection, key, requested);
  }

  find(collection: Collection, find: DocumentQuery, requested: Collection = collection): readonly StoredDocument[] {
    return this.findRows(collection, find).map((row) => documentOf(requested, row));
  }

  texts(collection: Collection, find: DocumentQuery): readonly string[] {
    return this.queryCache.of(sqlOf(collection).table, find.where, pageNameOf(find), () => textsOf(this.findRows(collection, find)));
  }

  count(collection: Collection, where: Where): number {
    return this.queryCache.of(sqlOf(collection).table, where, 'count', () => {
      const { sql, values } = countSqlOf(collection, where);
      return Number(this.database.statement(sql).get(...values)?.['total']);
    });
  }

  sum(collection: Collection, where: Where, by?: string): TotalsByGroup {
    const { table } = sqlOf(collection);
    return this.queryCache.of(table, where, `sum ${by ?? ''}`, () =>
      by === undefined ? this.sumAll(collection, where) : this.sumBy(collection, where, by),
    );
  }

  /** Runs the pending invalidations. Called after every recorded transaction, committed or rolled back. */
  onTransactionEnd(): void {
    for (const invalidation of this.pendingInvalidations) invalidation();
    this.pendingInvalidations = [];
    for (const [table, keys] of this.changedKeys) this.searches?.onChanged(table, [...keys]);
    this.changedKeys.clear();
  }

  /** Returns whether every document has the revision that the writes expect. */
  hasExpectedRevisions(writes: readonly DocumentWrite[]): boolean {
    return writes.every((write) => {
      if (write.kind !== 'put' || write.expected === undefined) return true;
      return (this.read(write.collection, write.document.key, write.collection)?.revision ?? 'none') === write.expected;
    });
  }

  /** Runs the writes within the open transaction, or records them. Call `onTransactionEnd` after a recorded transaction. */
  write(writes: readonly DocumentWrite[]): void {
    for (const write of writes) {
      if (write.kind === 'put') this.put(write.collection, write.document);
      else if (write.kind === 'delete') this.remove(write.collection, write.key);
      else this.increment(write.collection, write.cell, write.by);
    }
  }

  /** Deletes the collection's content within the open or recorded transaction. Call `onReplaced` after the commit. */
  clear(collection: Collection): void {
    const { table, cells } = sqlOf(collection);
    this.database.write(`DELETE FROM ${table}`);
    if (collection.cells.length > 0) this.database.write(`DELETE FROM ${cells}`);
  }

  /** Clears the caches after all documents of the collection were deleted or replaced. */
  onReplaced(collection: Collection): void {
    this.queryCache.invalidateAll(sqlOf(collection).table);
    this.cache.clear();
    this.onDropped(tableNameOf(collection));
  }

  /** Clears the caches after the table of the collection has got the documents and the index of another table. */
  onRenamed(collection: Collection): void {
    this.queryCache.invalidateAll(sqlOf(collection).table);
    this.cache.clear();
  }

  /** Call it after the commit that dropped the table of a collection. */
  onDropped(table: string): void {
    this.searches?.onReplaced(table);
  }

  /** Returns the rows. Throws StoreUnavailable if one is damaged. */
  checked(collection: Collection, rows: readonly Row[]): readonly Row[] {
    const { fieldNames } = sqlOf(collection);
    const damaged = rows.find((row) => isDamaged(fieldNames, row));
    if (damaged) throw damagedRow(tableNameOf(collection), damaged['key'], this.rebuilt.has(collection.name));
    return rows;
  }

  private read(collection: Collection, key: string, requested: Collection): StoredDocument | null {
    const [row] = this.readChecked(collection, sqlOf(collection).get, [key]);
    return row ? documentOf(requested, row) : null;
  }

  private findRows(collection: Collection, find: DocumentQuery): readonly Row[] {
    const { sql, values } = pageSqlOf(collection, find);
    return this.readChecked(collection, sql, values);
  }

  private readChecked(collection: Collection, sql: string, values: readonly SQLInputValue[]): readonly Row[] {
    return this.checked(collection, rowsOf(this.database, sql, values));
  }

  private sumAll(collection: Collection, where: Where): TotalsByGroup {
    const { text, values } = clauseOf('cells', collection.cells, where);
    const row = this.database.statement(`SELECT sum(amount) AS total FROM ${sqlOf(collection).cells} ${text}`).get(...values);
    return { '': Number(row?.['total'] ?? 0) };
  }

  private sumBy(collection: Collection, where: Where, by: string): TotalsByGroup {
    if (!collection.cells.includes(by)) throw new Error(`${collection.name} is not counted by ${by}`);
    const { text, values } = clauseOf('cells', collection.cells, where);
    // If the value of the field that `by` names is null, the cells are added up under the key `null`.
    const part = `iif(${quote(by)} = ?, NULL, ${quote(by)})`;
    const sql = `SELECT ${part} AS part, sum(amount) AS total FROM ${sqlOf(collection).cells} ${text} GROUP BY ${quote(by)}`;
    const rows = this.database.statement(sql).all(NULL_CELL, ...values);
    return Object.fromEntries(rows.map(({ part: value, total }) => [String(value), Number(total)]));
  }

  private put(collection: Collection, document: StoredDocument): void {
    const { table } = sqlOf(collection);
    const before = this.cache.get(table, document.key);
    this.invalidate(() => this.cache.remove(table, document.key));
    this.invalidateResultsAbout(collection, document.key, document.fields['tenant'] ?? null);
    this.noteChange(collection, document.key);
    this.store(collection, document, before);
  }

  /** Writes a document. If its state `before` was cached, writes only changed fields, so that SQLite updates fewer indexes. */
  private store(collection: Collection, { key, json, fields, revision }: StoredDocument, before: StoredDocument | undefined): void {
    const { fieldNames, put, putChanged } = sqlOf(collection);
    const sql = before ? putChanged(fieldNames.filter((name) => before.fields[name] !== (fields[name] ?? null))) : put;
    const values: SQLInputValue[] = [key, json, revision, checkOf(fieldNames, { key, json, revision, fields })];
    for (const name of fieldNames) values.push(fields[name] ?? null);
    this.database.write(sql, ...values);
  }

  private remove(collection: Collection, key: string): void {
    const { table, remove } = sqlOf(collection);
    this.invalidate(() => this.cache.remove(table, key));
    this.invalidateResultsAbout(collection, key, null);
    this.noteChange(collection, key);
    this.database.write(remove, key);
  }

  private noteChange(collection: Collection, key: string): void {
    if (!this.searches || !collection.facets) return;
    const table = tableNameOf(collection);
    const keys = this.changedKeys.get(table);
    if (keys) keys.add(key);
    else this.changedKeys.set(table, new Set([key]));
  }

  private increment(collection: Collection, cell: readonly Scalar[], by: number): void {
    const { table, increment, deleteZero } = sqlOf(collection);
    const tenantIndex = collection.cells.indexOf('tenant');
    if (tenantIndex < 0) this.invalidate(() => this.queryCache.invalidateAll(table));
    else this.invalidate(() => this.queryCache.invalidateTenant(table, cell[tenantIndex] ?? null));
    const values = cell.map(cellValueOf);
    this.database.write(increment, ...values, by);
    if (by < 0) this.database.write(deleteZero, ...values);
  }

  /** Invalidates the cached results of a document's tenant, and of the tenant that the document had before. */
  private invalidateResultsAbout(collection: Collection, key: string, tenant: Scalar): void {
    const { table, tenantOf } = sqlOf(collection);
    if (tenantOf === null) return this.invalidate(() => this.queryCache.invalidateAll(table));
    if (this.queryCache.hasResultsOfOtherTenants(table, tenant)) {
      const before = this.database.statement(tenantOf).get(key);
      if (before) this.invalidate(() => this.queryCache.invalidateTenant(table, before['tenant'] as Scalar));
    }
    this.invalidate(() => this.queryCache.invalidateTenant(table, tenant));
  }

  /** Runs an invalidation. While a transaction is recorded, the invalidation runs again after the transaction. */
  private invalidate(invalidation: () => void): void {
    invalidation();
    if (this.database.isRecording()) this.pendingInvalidations.push(invalidation);
  }
}

const textsOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => row['json'] as string);

const documentOf = ({ fields }: Collection, row: Row): StoredDocument => {
  const values: Record<string, Scalar> = {};
  for (const name in fields) values[name] = (row[name] ?? null) as Scalar;
  return { key: row['key'] as string, json: row['json'] as string, revision: row['revision'] as number, fields: values };
};
