import {
  queriedFields,
  type Checkpoint,
  type Collection,
  type DocumentPage,
  type Documents,
  type DocumentWrite,
  type DocumentQuery,
  type StoredDocument,
  type UseLimit,
  type Where,
} from '../../../eventsourcing/ports/documents.port.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { runAsPromise } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { CommitQueue, WriteKeys } from '../commits/commit-queue.js';
import type { LogWriter } from '../log/log-writer.js';
import type { Checkpoints } from './checkpoints.js';
import type { Collections } from './collections.js';
import type { ParkedStreams } from '../projections/parked-streams.js';
import type { DocumentSearch } from '../search/document-search.js';
import { tableNameOf } from './declared-sql.js';
import type { DocumentTables } from './document-tables.js';

type DocumentDependencies = {
  readonly database: Database;
  readonly tables: DocumentTables;
  readonly checkpoints: Checkpoints;
  readonly collections: Collections;
  readonly parked: ParkedStreams;
  readonly queue: Pick<CommitQueue, 'write'>;
  /** Null for a store in memory, which is searched on the main thread. */
  readonly search: DocumentSearch | null;
  readonly writer: Pick<LogWriter, 'head'>;
  readonly clock: Clock;
};

/** The position that a write stores for a reader. If `isInline` is true, appends update its read model from now on. */
export type StoredPosition = { readonly name: string; readonly isInline: boolean };

/**
 * A reader (a query) gets the fallback, which is an older version, while the given version is not complete. A builder (a
 * projection) gets exactly the given version.
 */
type ReadAs = 'reader' | 'builder';

/** The documents of read models, in tables of the store's file. */
export class SqliteDocuments implements Documents {
  private readonly finder: Pick<DocumentSearch, 'find' | 'texts' | 'count'> | Pick<DocumentTables, 'find' | 'texts' | 'count'>;

  constructor(
    private readonly dependencies: DocumentDependencies,
    private readonly readAs: ReadAs,
  ) {
    this.finder = dependencies.search ?? dependencies.tables;
  }

  prepare(collection: Collection): Promise<void> {
    const { queue, collections } = this.dependencies;
    return queue.write('alone', () => collections.prepare(collection), { onCommitted: () => collections.addEntry(collection) });
  }

  get(collection: Collection, key: string): Promise<StoredDocument | null> {
    return runAsPromise(() => this.dependencies.tables.get(this.versionFor(collection, []), key, collection));
  }

  find(collection: Collection, find: DocumentQuery): Promise<readonly StoredDocument[]> {
    return this.read(
      () => this.versionForFind(collection, find),
      (version) => this.finder.find(version, find, collection),
    );
  }

  async page(collection: Collection, find: DocumentQuery): Promise<DocumentPage | null> {
    const { search } = this.dependencies;
    if (!search) return null;
    return this.read(
      () => this.versionForFind(collection, find),
      (version) => search.page(version, find),
    );
  }

  texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    return this.read(
      () => this.versionForFind(collection, find),
      (version) => this.finder.texts(version, find),
    );
  }

  count(collection: Collection, where: Where): Promise<number> {
    return this.read(
      () => this.versionFor(collection, Object.keys(where)),
      (version) => this.finder.count(version, where),
    );
  }

  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>> {
    const { tables } = this.dependencies;
    const names = [...Object.keys(where), ...(by === undefined ? [] : [by])];
    return runAsPromise(() => tables.sum(this.versionFor(collection, names, 'cells'), where, by));
  }

  async apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean> {
    const { queue, checkpoints } = this.dependencies;
    if (!checkpoint) return queue.write(keysOf(writes), () => this.writeAsExpected(writes), { rows: writes.length });
    const { name, position } = checkpoint;
    const stored = await queue.write(
      'alone',
      () => (position > checkpoints.position(name) && this.writeAsExpected(writes) ? this.storePosition(name, position) : null),
      { rows: writes.length, onCommitted: (result) => result && this.onPositionStored(result) },
    );
    return stored !== null;
  }

  use(collection: Collection, document: StoredDocument, { times, milliseconds }: UseLimit): Promise<number | null> {
    const { queue, tables, clock } = this.dependencies;
    const key = `${tableNameOf(collection)} ${document.key}`;
    return queue.write([key], () => {
      const stored = tables.get(collection, document.key, collection);
      const now = clock.now().getTime();
      const { uses, firstUsedAt } = stored?.fields ?? {};
      const [count, since] = [Number(uses ?? 0) + 1, Number(firstUsedAt ?? now)];
      if (count > times || now - since >= milliseconds) return null;
      const { fields, revision, ...text } = stored ?? document;
      const used = { ...text, fields: { ...fields, uses: count, firstUsedAt: since }, revision: revision + 1 };
      tables.write([{ kind: 'put', collection, document: used }]);
      return count;
    });
  }

  checkpoint(name: string): Promise<number> {
    return runAsPromise(() => this.dependencies.checkpoints.position(name));
  }

  /** Deletes documents, cells, checkpoints and parked streams, so that the collections are rebuilt from the first event. */
  async clear(...cleared: readonly Collection[]): Promise<void> {
    const { queue } = this.dependencies;
    await queue.write('alone', () => cleared.forEach((collection) => this.empty(collection)), {
      onCommitted: () => cleared.forEach((collection) => this.onEmptied(collection)),
    });
    for (const collection of cleared) await this.storeIfAtEnd(collection);
  }

  /**
   * Pauses or resumes the projection of a collection, durably when the promise resolves. While it is paused, no append updates it, and
   * queries read what it has. One that lacks no event is inline again at once. Any other one must catch up.
   */
  async setPaused(collection: Collection, isPaused: boolean): Promise<void> {
    const { queue, checkpoints } = this.dependencies;
    const name = tableNameOf(collection);
    if (checkpoints.isPaused(name) === isPaused) return;
    const store = (): void => (isPaused ? checkpoints.storePause(name) : checkpoints.storeResumption(name));
    await queue.write('alone', store, { onCommitted: () => checkpoints.setPaused(name, isPaused) });
    await this.storeIfAtEnd(collection);
  }

  /** Makes a projection inline if it lacks no event. */
  async storeIfAtEnd(collection: Collection): Promise<void> {
    await this.dependencies.queue.write('alone', () => this.storeCheckpointIfAtEnd(collection), {
      onCommitted: (stored) => stored && this.onPositionStored(stored),
    });
  }

  /** Prepares the collection of a projection. Empties the collection if it must be rebuilt. Blocks until everything is durable. */
  open(collection: Collection): void {
    const { database, checkpoints, collections } = this.dependencies;
    database.transaction(() => collections.prepare(collection));
    collections.addEntry(collection);
    if (checkpoints.isInvalid(collection)) {
      database.transaction(() => this.empty(collection));
      this.onEmptied(collection);
    }
    const stored = database.transaction(() => this.storeCheckpointIfAtEnd(collection));
    if (stored) this.onPositionStored(stored);
    // A paused version goes on serving what it has.
    if (checkpoints.isInline(tableNameOf(collection)) || checkpoints.isPaused(tableNameOf(collection))) return;
    // An older release may have run since this version was in service. Queries read its version until this one has caught up.
    database.transaction(() => collections.storeInService(collection, false));
    collections.setInService(collection, false);
  }

  /** Drops replaced versions in the background. */
  dropReplaced(): void {
    const { checkpoints, collections, parked, tables } = this.dependencies;
    collections.dropReplaced((name) => {
      checkpoints.delete(name);
      parked.deleteRows(name);
      parked.uncacheAll(name);
      tables.onDropped(name);
    });
  }

  /** Makes a projection inline (updated by each append) if it has no event left to read, for example in an empty log. */
  private storeCheckpointIfAtEnd(collection: Collection): StoredPosition | null {
    const { checkpoints } = this.dependencies;
    const name = tableNameOf(collection);
    return checkpoints.isInline(name) || !checkpoints.hasReachedEnd(name) ? null : this.storePosition(name, checkpoints.position(name));
  }

  /** Empties a collection within the open or recorded transaction. Call `onEmptied` after the commit. */
  private empty(collection: Collection): void {
    const { tables, checkpoints, collections, parked } = this.dependencies;
    tables.clear(collection);
    // A rebuild is fastest when indexes are created last. Only the collection of a projection can be rebuilt.
    if (checkpoints.canBeInline(tableNameOf(collection))) collections.dropIndexes(collection);
    collections.storeInService(collection, false);
    checkpoints.delete(tableNameOf(collection));
    parked.deleteRows(tableNameOf(collection));
  }

  private onEmptied(collection: Collection): void {
    const { tables, checkpoints, collections, parked } = this.dependencies;
    tables.onReplaced(collection);
    checkpoints.setInline(tableNameOf(collection), false);
    parked.uncacheAll(tableNameOf(collection));
    collections.setInService(collection, false);
  }

  /**
   * Reads from the version that serves. While a thread reads, a newer version may go into service, and the older one may be dropped:
   * then the read fails, and is made again from the newer one.
   */
  private read<T>(choose: () => Collection, readFrom: (version: Collection) => T | Promise<T>): Promise<T> {
    const version = choose();
    return runAsPromise(() => readFrom(version)).catch((error: unknown) => {
      if (choose() === version) throw error;
      return this.read(choose, readFrom);
    });
  }

  private versionForFind(collection: Collection, find: DocumentQuery): Collection {
    return this.versionFor(collection, queriedFields(find));
  }

  private versionFor(collection: Collection, names: readonly string[], needed: 'fields' | 'cells' = 'fields'): Collection {
    return this.readAs === 'builder' ? collection : this.dependencies.collections.versionFor(collection, needed, names);
  }

  /** Returns false and writes nothing if a stored document has another revision than its write expects. */
  private writeAsExpected(writes: readonly DocumentWrite[]): boolean {
    const { tables } = this.dependencies;
    if (!tables.hasExpectedRevisions(writes)) return false;
    tables.write(writes);
    return true;
  }

  /**
   * Stores a position within the open or recorded transaction. A version that has reached the end of the log is complete, and goes
   * into service. Call `onPositionStored` after the commit.
   */
  storePosition(name: string, position: number): StoredPosition {
    const { checkpoints, collections } = this.dependencies;
    const isInline = checkpoints.store(name, position);
    const filled = collections.findByTableName(name);
    if (isInline && filled) {
      collections.createIndexes(filled);
      collections.storeInService(filled, true);
    }
    return { name, isInline };
  }

  onPositionStored({ name, isInline }: StoredPosition): void {
    const { checkpoints, collections } = this.dependencies;
    checkpoints.setInline(name, isInline);
    const filled = collections.findByTableName(name);
    if (!isInline || !filled) return;
    collections.setInService(filled, true);
    this.dropReplaced();
  }
}

/** Returns the documents that writes read or replace. Increments need no key, because they add to what is stored. */
const keysOf = (writes: readonly DocumentWrite[]): WriteKeys =>
  writes.flatMap((write) => {
    if (write.kind === 'increment') return [];
    return [`${tableNameOf(write.collection)} ${write.kind === 'put' ? write.document.key : write.key}`];
  });
