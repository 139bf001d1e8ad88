import type { Collection, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { ProjectionTarget, ReadModelChange } from '../../../eventsourcing/projecting.js';
import type { ParkedStream } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import type { SqliteDocuments, StoredPosition } from '../documents/sqlite-documents.js';
import { runAsPromise } from '../failures.js';
import { removeFromFallback } from './fallbacks.js';
import type { ProjectionDependencies } from './projection-dependencies.js';

/** The read models of a folder. They change in the open or recorded transaction. */
export class FolderTarget implements ProjectionTarget {
  constructor(
    private readonly dependencies: ProjectionDependencies,
    private readonly documents: Pick<SqliteDocuments, 'storePosition' | 'onPositionStored'>,
  ) {}

  position(collection: Collection): Promise<number> {
    return runAsPromise(() => this.dependencies.checkpoints.position(tableNameOf(collection)));
  }

  isParked(collection: Collection, stream: string): boolean {
    return this.dependencies.parked.isParked(tableNameOf(collection), stream);
  }

  parkedStreams(collection: Collection): readonly ParkedStream[] {
    return this.dependencies.parked.of(tableNameOf(collection));
  }

  /** Loads nothing, because `get` reads from the file. */
  load(): Promise<boolean> {
    return Promise.resolve(true);
  }

  get(collection: Collection, key: string): StoredDocument | null {
    return this.dependencies.tables.get(collection, key);
  }

  /** The commit thread writes the documents, so that the caller can prepare the next ones. */
  store(changes: readonly ReadModelChange[]): Promise<void> {
    return this.storeAll(
      () => changes,
      changes.reduce((sum, { writes }) => sum + writes.length, 0),
    );
  }

  /** Stores what `work` returns. It reads documents as they are when its commit starts: no other commit comes between. */
  async storeAll(work: () => readonly ReadModelChange[], rows = 1): Promise<void> {
    const write = (change: ReadModelChange) => [change, this.write(change)] as const;
    const writeAll = () =>
      work()
        .filter((change) => this.isUnreached(change))
        .map(write);
    await this.dependencies.queue.write('alone', writeAll, {
      rows,
      onCommitted: (stored) => stored.forEach(([change, position]) => this.onStored(change, position)),
      isStored: (stored) => stored.some(([change]) => this.isStored(change)),
    });
  }

  /** Returns whether the file has a change, which its position shows. Of a change without a position nobody knows. */
  private isStored({ collection, reached }: ReadModelChange): boolean {
    return reached !== null && this.dependencies.checkpoints.storedPosition(tableNameOf(collection)) === reached.position;
  }

  /**
   * Returns whether a read model has not reached the position of a change. Since the change was computed, appends may have reached it:
   * they update a read model as soon as it is at the end of the log.
   */
  private isUnreached({ collection, reached }: ReadModelChange): boolean {
    const name = tableNameOf(collection);
    // A fill may have been exchanged or dropped, too.
    if (!this.dependencies.collections.findByTableName(name)) return false;
    return reached === null || reached.position > this.dependencies.checkpoints.position(name);
  }

  /** Writes a change in the open or recorded transaction. Call `onStored` after the commit. */
  write(change: ReadModelChange): StoredPosition | null {
    const { tables, parked, collections, projectors } = this.dependencies;
    const { collection, writes, broken, reached } = change;
    const name = tableNameOf(collection);
    tables.write(writes);
    parked.change(name, change);
    const fallback = broken.length > 0 ? collections.fallbackOf(collection) : undefined;
    const projector = projectors.find((own) => own.collection === collection);
    if (fallback && projector) removeFromFallback(this.dependencies, projector, fallback, broken);
    return reached && this.documents.storePosition(name, reached.position);
  }

  /** Applies a change in memory, after its commit, and logs each stream that was not parked before. */
  onStored(change: ReadModelChange, position: StoredPosition | null = null): void {
    const { parked, log } = this.dependencies;
    const projection = tableNameOf(change.collection);
    // A broken stream is logged as a fault of the log, once for all read models.
    for (const stream of change.parked)
      if (!change.broken.includes(stream.stream) && !parked.isParked(projection, stream.stream))
        log.error({ projection, ...stream }, 'a projection failed on an event; its stream is parked');
    parked.onChanged(projection, change);
    if (position) this.documents.onPositionStored(position);
  }
}
