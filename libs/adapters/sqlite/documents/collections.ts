import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import { declaresAll, fallbackOf, replacedVersions } from '../../../eventsourcing/read-model-versions.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isStorageFailure } from '../failures.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import type { Database } from '../folder/database.js';
import { FolderRefused } from '../folder/refused.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { columnsIn, sqlOf, tableNameOf } from './declared-sql.js';
import { CHECK } from './row-checksum.js';

const READ_ALL = 'SELECT name, version, declaration, in_service FROM collections ORDER BY version';
const PUT_DECLARATION =
  'INSERT INTO collections (name, version, declaration, in_service) VALUES (?, ?, ?, 0) ON CONFLICT DO UPDATE SET declaration = excluded.declaration';
const SET_IN_SERVICE = 'UPDATE collections SET in_service = ? WHERE name = ? AND version = ?';
const DELETE = 'DELETE FROM collections WHERE name = ? AND version = ?';
const COLUMNS = 'SELECT name FROM pragma_table_info(?)';
const INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL";
const NAME_IS_TAKEN = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?";

const NONE: ReadonlySet<string> = new Set();

/** The number of documents of a dropped version that one transaction deletes. It is small, so that no append waits long. */
const CHUNK = 500;

/** A version of a collection, whether it is in service, and whether this process uses it. */
type Entry = { declared: Collection; inService: boolean; isOpen: boolean };

/**
 * The versions of all collections. A new version is filled from the log. Meanwhile, queries read its fallback: the newest of
 * the older versions in service. Once the new version has reached the end of the log, it is in service, and older versions
 * are dropped.
 */
export class Collections {
  /** Versions by collection name, oldest first. */
  private readonly byName = new Map<string, Entry[]>();
  /** The fallback version by table name. */
  private readonly fallbacks = new Map<string, Collection>();
  private closed = false;
  private dropping: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly queue: Pick<CommitQueue, 'write'>,
    private readonly log: Log,
  ) {
    for (const row of database.statement(READ_ALL).all()) {
      const collection = JSON.parse(String(row['declaration'])) as Collection;
      this.entriesOf(collection.name).push({ declared: collection, inService: row['in_service'] === 1, isOpen: false });
      this.addCheck(collection);
    }
  }

  /**
   * Creates a version's tables and indexes within the open or recorded transaction. Call `addEntry` after the commit. Throws
   * FolderRefused if the declared fields or cells of the version have changed since its tables were created.
   */
  prepare(collection: Collection): void {
    const { create, indexes } = sqlOf(collection);
    const entry = this.entryOf(collection);
    if (entry && shapeOf(entry.declared) !== shapeOf(collection)) throw shapeChanged(collection);
    this.database.write(PUT_DECLARATION, collection.name, collection.version, JSON.stringify(collection));
    for (const sql of create) this.database.write(sql);
    this.dropIndexes(collection, new Set([...indexes.values()].map(({ columns }) => columns)));
    this.createIndexes(collection);
  }

  /** Applies `prepare` in memory, after the commit. */
  addEntry(collection: Collection): void {
    const entries = this.entriesOf(collection.name);
    const entry = this.entryOf(collection);
    if (entry) Object.assign(entry, { declared: collection, isOpen: true });
    else entries.push({ declared: collection, inService: false, isOpen: true });
    entries.sort((one, other) => one.declared.version - other.declared.version);
    this.chooseFallbacks(collection.name);
  }

  /**
   * Creates missing indexes within the open or recorded transaction. An index keeps its name when its table gets another one, so a name
   * may be taken by an index of another table.
   */
  createIndexes(collection: Collection): void {
    const existing = new Set(this.indexesOf(collection).map(({ columns }) => columns));
    for (const [name, { columns, create }] of sqlOf(collection).indexes)
      if (!existing.has(columns)) this.database.write(create(this.freeNameLike(name)));
  }

  /** Drops the collection's indexes, except those of these columns, within the open or recorded transaction. */
  dropIndexes(collection: Collection, except: ReadonlySet<string> = NONE): void {
    for (const { name, columns } of this.indexesOf(collection)) if (!except.has(columns)) this.database.write(`DROP INDEX "${name}"`);
  }

  private indexesOf(collection: Collection): readonly { readonly name: string; readonly columns: string }[] {
    return this.database
      .statement(INDEXES)
      .all(tableNameOf(collection))
      .map(({ name, sql }) => ({ name: String(name), columns: columnsIn(String(sql)) }));
  }

  private freeNameLike(name: string): string {
    let free = name;
    for (let number = 2; this.database.statement(NAME_IS_TAKEN).get(free); number++) free = `${name}_${number}`;
    return free;
  }

  /** Returns the version that a query reads: the fallback if it exists and declares all `names`, otherwise `collection`. */
  versionFor(collection: Collection, needed: 'fields' | 'cells', names: readonly string[]): Collection {
    if (this.fallbacks.size === 0) return collection;
    const older = this.fallbacks.get(tableNameOf(collection));
    return older && declaresAll(older, needed, names) ? older : collection;
  }

  /** Returns the older version that queries read while `collection` is not complete. Undefined if there is none. */
  fallbackOf(collection: Collection): Collection | undefined {
    return this.fallbacks.get(tableNameOf(collection));
  }

  /** Returns the version with this table name, which is also the name of its checkpoint. */
  findByTableName(tableName: string): Collection | undefined {
    for (const entries of this.byName.values()) {
      const entry = entries.find(({ declared }) => tableNameOf(declared) === tableName);
      if (entry) return entry.declared;
    }
    return undefined;
  }

  /** Stores, within the open or recorded transaction, whether a version is in service. Call `setInService` after the commit. */
  storeInService({ name, version }: Collection, inService: boolean): void {
    this.database.write(SET_IN_SERVICE, inService ? 1 : 0, name, version);
  }

  /** Applies `storeInService` in memory, after the commit. */
  setInService({ name, version }: Collection, inService: boolean): void {
    for (const entry of this.entriesOf(name)) if (entry.declared.version === version) entry.inService = inService;
    this.chooseFallbacks(name);
  }

  /** Deletes the stored entry of a version within the open or recorded transaction. Call `removeEntries` after the commit. */
  storeDeletion({ name, version }: Collection): void {
    this.database.write(DELETE, name, version);
  }

  /** Stores the entry of a version whose tables exist, within the open or recorded transaction. Call `addEntry` after the commit. */
  storeEntry(collection: Collection): void {
    this.database.write(PUT_DECLARATION, collection.name, collection.version, JSON.stringify(collection));
  }

  /** Returns all versions of the collections with these names. */
  withNames(names: ReadonlySet<string>): readonly Collection[] {
    return [...this.byName].flatMap(([name, entries]) => (names.has(name) ? entries.map(({ declared }) => declared) : []));
  }

  /** Drops a version in the background, after those that are dropped already. Calls `also` within the transaction that drops the tables. */
  dropLater(collection: Collection, also: (tableName: string) => void): void {
    this.dropping = this.dropping.then(() => this.drop(collection.name, collection, also));
  }

  /** Removes all versions of a collection from memory. */
  removeEntries({ name }: Collection): void {
    this.byName.delete(name);
  }

  /** Drops replaced versions in the background. Calls `also` within the transaction that drops the tables. */
  dropReplaced(also: (tableName: string) => void): void {
    this.dropping = this.dropping.then(async () => {
      for (const [name, entries] of this.byName)
        // After an update was rolled back, the newest version in service is of the later release, and an older one is open.
        for (const { declared, isOpen } of replacedVersions(entries)) if (!isOpen) await this.drop(name, declared, also);
    });
  }

  /** Resolves when all versions that are being dropped are gone. */
  whenDropped(): Promise<void> {
    return this.dropping;
  }

  /** Stops dropping versions. The next start continues. */
  async close(): Promise<void> {
    this.closed = true;
    await this.dropping;
  }

  private async drop(name: string, collection: Collection, also: (tableName: string) => void): Promise<void> {
    const { table, drop } = sqlOf(collection);
    const some = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${CHUNK})`;
    const hasRows = (): boolean => this.database.statement(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
    try {
      // Dropping a full table would block appends for long, so small transactions delete its rows first.
      while (hasRows()) {
        if (this.closed) return;
        await this.queue.write('alone', () => this.database.write(some), { rows: CHUNK });
      }
      await this.queue.write('alone', () => {
        for (const sql of drop) this.database.write(sql);
        this.database.write(DELETE, name, collection.version);
        also(tableNameOf(collection));
      });
      this.byName.set(
        name,
        this.entriesOf(name).filter(({ declared }) => declared.version !== collection.version),
      );
      this.log.info({ collection: tableNameOf(collection) }, 'dropped the documents of an older version');
    } catch (error) {
      const when = isStorageFailure(error) ? ': check the disk' : '';
      this.log.warn(
        { collection: tableNameOf(collection), reason: reasonOf(error) },
        `could not drop the documents of version ${collection.version}, which is no longer used; they only take space, and the next start retries${when}`,
      );
    }
  }

  /** Adds the checksum column to a table of an earlier release. An existing row gets its checksum with the next write. */
  private addCheck(collection: Collection): void {
    const columns = this.database.statement(COLUMNS).all(tableNameOf(collection));
    if (columns.length === 0 || columns.some(({ name }) => name === CHECK)) return;
    this.database.transaction(() => this.database.connection.exec(sqlOf(collection).addCheck));
  }

  private chooseFallbacks(name: string): void {
    const entries = this.entriesOf(name);
    for (const { declared } of entries) {
      const fallback = fallbackOf(entries, declared.version);
      if (fallback) this.fallbacks.set(tableNameOf(declared), fallback.declared);
      else this.fallbacks.delete(tableNameOf(declared));
    }
  }

  private entryOf({ name, version }: Collection): Entry | undefined {
    return this.entriesOf(name).find(({ declared }) => declared.version === version);
  }

  private entriesOf(name: string): Entry[] {
    let entries = this.byName.get(name);
    if (!entries) this.byName.set(name, (entries = []));
    return entries;
  }
}

/** Returns a text that is equal for two declarations if their tables have the same columns. */
const shapeOf = ({ fields, cells }: Collection): string => JSON.stringify([fields, cells]);

const shapeChanged = (collection: Collection): FolderRefused =>
  new FolderRefused(
    'shape_changed',
    `the fields or cells of ${collection.name} have changed, but its version is still ${collection.version}: raise the version to rebuild it`,
  );
