import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { categoryOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import { NO_CHANGES, applyEvents, type ReadModelChange } from '../../../eventsourcing/projecting.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isStorageFailure } from '../failures.js';
import type { AppendParticipant } from '../log/log-writer.js';
import type { FolderTarget } from './folder-target.js';
import type { ProjectionDependencies } from './projection-dependencies.js';
import { writeFallback, type ChangedStream } from './fallbacks.js';

/** The decoded events of one category in a commit, and the streams with events that cannot be decoded. */
type DecodedBatch = { readonly events: RecordedEvent[]; readonly unreadable: Map<string, ParkedStream> };

/**
 * Updates the projections that have caught up, within the commit of the appends. A projection that fails on
 * an event parks the event's stream, and the append still succeeds (contract 24.3).
 */
export class InlineProjections implements AppendParticipant {
  private readonly categories: ReadonlySet<string>;
  /** The changes of the commit that is being written. */
  private changes: ReadModelChange[] = [];

  constructor(
    private readonly dependencies: ProjectionDependencies,
    private readonly target: FolderTarget,
    /** Returns the projectors of the fills beside the read models. */
    private readonly fills: () => readonly Projector[],
  ) {
    this.categories = new Set(dependencies.projectors.map(({ category }) => category));
  }

  onAppended(appended: readonly StoredEvent[]): void {
    const { projectors, checkpoints, collections } = this.dependencies;
    const decoded = this.decodeAll(appended);
    for (const projector of [...projectors, ...this.fills()]) {
      const batch = decoded.get(projector.category);
      if (!batch) continue;
      const fallback = collections.fallbackOf(projector.collection);
      if (checkpoints.isInline(tableNameOf(projector.collection))) this.project(projector, batch);
      else if (fallback && !checkpoints.isPaused(tableNameOf(projector.collection)))
        for (const stream of new Set(batch.events.map(({ meta }) => meta.stream)))
          this.tryWriteFallback(projector, fallback, { stream, appended: appended.filter((event) => event.stream === stream) });
    }
  }

  onCommitted(): void {
    for (const change of this.changes) this.target.onStored(change);
    this.changes = [];
  }

  onRolledBack(): void {
    this.changes = [];
  }

  /**
   * Decodes each event once for all projections of its category. Hashes are not verified: this process has just
   * computed them.
   */
  private decodeAll(appended: readonly StoredEvent[]): ReadonlyMap<string, DecodedBatch> {
    const byCategory = new Map<string, DecodedBatch>();
    for (const stored of appended) {
      const category = categoryOf(stored.stream);
      if (!this.categories.has(category)) continue;
      let batch = byCategory.get(category);
      if (!batch) byCategory.set(category, (batch = { events: [], unreadable: new Map() }));
      const { stream, revision, position } = stored;
      if (batch.unreadable.has(stream)) continue;
      try {
        batch.events.push(this.dependencies.codec.decode(stored));
      } catch (error) {
        batch.unreadable.set(stream, { stream, revision, position, reason: reasonOf(error) });
      }
    }
    return byCategory;
  }

  private project(projector: Projector, { events, unreadable }: DecodedBatch): void {
    const { collection } = projector;
    const isWaiting = (stream: string): boolean => unreadable.has(stream) || this.target.isParked(collection, stream);
    for (const stream of unreadable.values()) if (!this.target.isParked(collection, stream.stream)) this.park(projector, stream);
    if (events.length > 0) this.run(projector, events, isWaiting);
  }

  /** Updates a document in the fallback. A failure does not reject the append, unless the storage has failed. */
  private tryWriteFallback(projector: Projector, fallback: Collection, changed: ChangedStream): void {
    const projection = tableNameOf(fallback);
    const { stream } = changed;
    try {
      this.dependencies.database.savepoint(`${projection} ${stream}`, () => writeFallback(this.dependencies, projector, fallback, changed));
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      this.dependencies.log.warn(
        { projection, stream, reason: reasonOf(error) },
        'could not update a document in the read model version that queries read; the document stays out of date until the new version is complete',
      );
    }
  }

  /** Applies all streams together. After a failure, applies each stream alone, and parks only the streams that fail. */
  private run(projector: Projector, events: readonly RecordedEvent[], isWaiting: (stream: string) => boolean): void {
    if (this.attempt(projector, events, isWaiting) === null) return;
    for (const [first, ...rest] of byStream(events)) {
      const reason = this.attempt(projector, [first, ...rest], isWaiting);
      const { stream, revision } = first.meta;
      if (reason !== null && !isWaiting(stream)) this.park(projector, { stream, revision, position: first.position, reason });
    }
  }

  /**
   * Applies events so that a failure rolls back only their writes. Returns the reason of a failure, or null. Throws a
   * storage failure, which rolls back the whole commit.
   */
  private attempt(projector: Projector, events: readonly RecordedEvent[], isWaiting: (stream: string) => boolean): string | null {
    const { database, tables } = this.dependencies;
    const { collection } = projector;
    try {
      // The failed savepoint of all streams differs from that of the first stream.
      const savepoint = `${tableNameOf(collection)} ${events[0]?.position} ${events.length}`;
      const change = database.savepoint(savepoint, () => {
        const applied = applyEvents(projector, { events, broken: [] }, (key) => tables.get(collection, key), isWaiting);
        return this.write({ collection, ...applied, reached: null });
      });
      this.changes.push(change);
      return null;
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      return reasonOf(error);
    }
  }

  private park({ collection }: Projector, stream: ParkedStream): void {
    this.changes.push(this.write({ ...NO_CHANGES, collection, parked: [stream], reached: null }));
  }

  private write(change: ReadModelChange): ReadModelChange {
    this.target.write(change);
    return change;
  }
}

const byStream = (events: readonly RecordedEvent[]): Iterable<readonly [RecordedEvent, ...RecordedEvent[]]> => {
  const streams = new Map<string, [RecordedEvent, ...RecordedEvent[]]>();
  for (const event of events) {
    const ofStream = streams.get(event.meta.stream);
    if (ofStream) ofStream.push(event);
    else streams.set(event.meta.stream, [event]);
  }
  return streams.values();
};
