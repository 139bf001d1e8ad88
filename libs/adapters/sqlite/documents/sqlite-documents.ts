import {
  queriedFields,
  type Checkpoint,
  type Collection,
  type Documents,
  type DocumentWrite,
  type DocumentQuery,
  type FilledDocuments,
  type FilledReadModel,
  type StoredDocument,
  type Where,
} from '../../../eventsourcing/ports/documents.port.js';
import { runAsPromise } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { LogWriter } from '../log/log-writer.js';
import type { Checkpoints } from './checkpoints.js';
import type { Collections } from './collections.js';
import type { ParkedStreams } from '../projections/parked-streams.js';
import { tableNameOf } from './declared-sql.js';
import type { DocumentTables } from './document-tables.js';

type DocumentParts = {
  readonly database: Database;
  readonly tables: DocumentTables;
  readonly checkpoints: Checkpoints;
  readonly collections: Collections;
  readonly parked: ParkedStreams;
  /** Commits between the appends. */
  readonly writer: Pick<LogWriter, 'head' | 'commit'>;
};

/**
 * A reader (a query) gets the fallback, which is an older version, while the given version is not complete. A builder (a
 * projection) gets exactly the given version.
 */
type ReadAs = 'reader' | 'builder';

/** The documents of read models, in tables of the store's file. */
export class SqliteDocuments implements Documents, FilledDocuments {
  constructor(
    private readonly parts: DocumentParts,
    private readonly readAs: ReadAs,
  ) {}

  prepare(collection: Collection): Promise<void> {
    const { database, collections } = this.parts;
    return runAsPromise(() => database.transaction(() => collections.prepare(collection)));
  }

  get(collection: Collection, key: string): Promise<StoredDocument | null> {
    return runAsPromise(() => this.parts.tables.get(this.versionFor(collection, []), key, collection));
  }

  find(collection: Collection, find: DocumentQuery): Promise<readonly StoredDocument[]> {
    return runAsPromise(() => this.parts.tables.find(this.versionForFind(collection, find), find, collection));
  }

  texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    return runAsPromise(() => this.parts.tables.texts(this.versionForFind(collection, find), find));
  }

  count(collection: Collection, where: Where): Promise<number> {
    return runAsPromise(() => this.parts.tables.count(this.versionFor(collection, Object.keys(where)), where));
  }

  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>> {
    return runAsPromise(() => {
      const names = [...Object.keys(where), ...(by === undefined ? [] : [by])];
      return this.parts.tables.sum(this.versionFor(collection, names, 'cells'), where, by);
    });
  }

  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean> {
    return runAsPromise(() => (checkpoint ? this.applyAt(writes, checkpoint) : this.applyAll(writes)));
  }

  /**
   * The commit thread writes the documents, so that the caller can prepare the next ones. A read model that reaches the end of the
   * log goes into service in a transaction of the main thread, because that creates indexes.
   */
  async fill(readModels: readonly FilledReadModel[]): Promise<void> {
    const { tables, checkpoints, writer } = this.parts;
    const head = writer.head();
    const mayBeInline = (name: string, position: number): boolean => checkpoints.canBeInline(name) && position >= head;
    if (readModels.some(({ collection, position }) => mayBeInline(tableNameOf(collection), position))) {
      for (const { collection, writes, position } of readModels) await this.apply(writes, { name: tableNameOf(collection), position });
      return;
    }
    const rows = readModels.reduce((sum, { writes }) => sum + writes.length, 0);
    await writer.commit(rows, () => {
      for (const { collection, writes, position } of readModels) {
        tables.write(writes);
        checkpoints.store(tableNameOf(collection), position);
      }
    });
  }

  checkpoint(name: string): Promise<number> {
    return runAsPromise(() => this.parts.checkpoints.position(name));
  }

  /** Deletes documents, cells, checkpoints and parked streams, so that the collections are rebuilt from the first event. */
  clear(...collections: readonly Collection[]): Promise<void> {
    return runAsPromise(() => this.empty(collections));
  }

  /** Prepares the collection of a projection. Clears the collection if it must be rebuilt. */
  open(collection: Collection): void {
    const { database, checkpoints, collections } = this.parts;
    database.transaction(() => collections.prepare(collection));
    if (checkpoints.isInvalid(collection)) this.empty([collection]);
    this.makeInlineIfCaughtUp(collection);
  }

  /** Makes a projection inline (updated by each append) if it has no event left to read, for example in an empty log. */
  private makeInlineIfCaughtUp(collection: Collection): void {
    const { database, checkpoints } = this.parts;
    const name = tableNameOf(collection);
    if (checkpoints.isInline(name) || !checkpoints.hasReachedEnd(name)) return;
    this.onPositionStored(
      name,
      database.transaction(() => this.storePosition(name, checkpoints.position(name))),
    );
  }

  /** Drops replaced versions in the background. */
  dropReplaced(): void {
    const { checkpoints, collections, parked } = this.parts;
    collections.dropReplaced((name) => {
      checkpoints.delete(name);
      parked.deleteRows(name);
      parked.uncacheAll(name);
    });
  }

  private empty(emptied: readonly Collection[]): void {
    const { database, tables, checkpoints, collections, parked } = this.parts;
    database.transaction(() => {
      for (const collection of emptied) {
        tables.clear(collection);
        // A rebuild is fastest when indexes are created last. Only the collection of a projection can be rebuilt.
        if (checkpoints.canBeInline(tableNameOf(collection))) collections.dropIndexes(collection);
        collections.storeInService(collection, false);
        checkpoints.delete(tableNameOf(collection));
        parked.deleteRows(tableNameOf(collection));
      }
    });
    for (const collection of emptied) {
      checkpoints.setInline(tableNameOf(collection), false);
      parked.uncacheAll(tableNameOf(collection));
      collections.setInService(collection, false);
      this.makeInlineIfCaughtUp(collection);
    }
  }

  private versionForFind(collection: Collection, find: DocumentQuery): Collection {
    return this.versionFor(collection, queriedFields(find));
  }

  private versionFor(collection: Collection, names: readonly string[], needed: 'fields' | 'cells' = 'fields'): Collection {
    return this.readAs === 'builder' ? collection : this.parts.collections.versionFor(collection, needed, names);
  }

  private applyAll(writes: readonly DocumentWrite[]): boolean {
    const { database, tables } = this.parts;
    return database.transaction(() => {
      const asExpected = tables.hasExpectedRevisions(writes);
      if (asExpected) tables.write(writes);
      return asExpected;
    });
  }

  /**
   * Applies writes and stores their checkpoint. Returns false, without changes, if the stored checkpoint is at or after
   * `position`, or if a stored document has another revision than its write expects.
   */
  private applyAt(writes: readonly DocumentWrite[], { name, position }: Checkpoint): boolean {
    const { database, tables, checkpoints } = this.parts;
    if (position <= checkpoints.position(name)) return false;
    const isInline = database.transaction(() => {
      if (!tables.hasExpectedRevisions(writes)) return null;
      tables.write(writes);
      return this.storePosition(name, position);
    });
    if (isInline === null) return false;
    this.onPositionStored(name, isInline);
    return true;
  }

  /**
   * Stores a position within the open transaction. A version that has reached the end of the log is complete,
   * and goes into service. Returns whether its projection is inline from now on.
   */
  private storePosition(name: string, position: number): boolean {
    const { checkpoints, collections } = this.parts;
    const isInline = checkpoints.store(name, position);
    const filled = collections.findByTableName(name);
    if (isInline && filled) {
      collections.createIndexes(filled);
      collections.storeInService(filled, true);
    }
    return isInline;
  }

  /** Applies the result of `storePosition` in memory, after the commit. */
  private onPositionStored(name: string, isInline: boolean): void {
    const { checkpoints, collections } = this.parts;
    checkpoints.setInline(name, isInline);
    const filled = collections.findByTableName(name);
    if (!isInline || !filled) return;
    collections.setInService(filled, true);
    this.dropReplaced();
  }
}
