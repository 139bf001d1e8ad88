import type { Collection, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { categoryOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import type { DocumentTables } from '../documents/document-tables.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isStorageFailure } from '../failures.js';
import type { AppendParticipant } from '../log/log-writer.js';
import type { ParkedProjection } from './parked-streams.js';
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
  private newlyParked: ParkedProjection[] = [];

  constructor(private readonly dependencies: ProjectionDependencies) {
    this.categories = new Set(dependencies.projectors.map(({ category }) => category));
  }

  onAppended(appended: readonly StoredEvent[]): void {
    const { projectors, checkpoints, collections } = this.dependencies;
    const decoded = this.decodeAll(appended);
    for (const projector of projectors) {
      const batch = decoded.get(projector.category);
      if (!batch) continue;
      const fallback = collections.fallbackOf(projector.collection);
      if (checkpoints.isInline(tableNameOf(projector.collection))) this.project(projector, batch);
      else if (fallback)
        for (const stream of new Set(batch.events.map(({ meta }) => meta.stream)))
          this.tryWriteFallback(projector, fallback, { stream, appended: appended.filter((event) => event.stream === stream) });
    }
  }

  onCommitted(): void {
    for (const { reason, ...where } of this.newlyParked)
      this.dependencies.log.error({ ...where, reason }, 'a projection failed on an event; its stream is parked');
    this.newlyParked = [];
  }

  onRolledBack(): void {
    for (const { projection, stream } of this.newlyParked) this.dependencies.parked.uncache(projection, stream);
    this.newlyParked = [];
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
    for (const stream of unreadable.values()) this.park(projector, stream);
    if (events.length > 0) this.run(projector, events);
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

  /** Projects all streams together. After a failure, projects each stream alone, and parks only the streams that fail. */
  private run(projector: Projector, events: readonly RecordedEvent[]): void {
    const failure = this.attempt(projector, events);
    if (failure === null) return;
    for (const [first, ...rest] of byStream(events)) {
      const reason = this.attempt(projector, [first, ...rest]);
      if (reason !== null)
        this.park(projector, { stream: first.meta.stream, revision: first.meta.revision, position: first.position, reason });
    }
  }

  /**
   * Projects events so that a failure rolls back only their writes. Returns the reason of a failure, or null. Throws a
   * storage failure, which rolls back the whole commit.
   */
  private attempt(projector: Projector, events: readonly RecordedEvent[]): string | null {
    const { database, tables, parked } = this.dependencies;
    const name = tableNameOf(projector.collection);
    const load = loadFrom(tables, projector, events);
    try {
      // The failed savepoint of all streams differs from that of the first stream.
      const savepoint = `${name} ${events[0]?.position} ${events.length}`;
      const run = database.savepoint(savepoint, () => {
        const projected = projector.project(events, load, (stream) => parked.isParked(name, stream));
        tables.write(projected.writes);
        return projected;
      });
      for (const stream of run.parked) this.park(projector, stream);
      return null;
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      return reasonOf(error);
    }
  }

  private park({ collection }: Projector, parked: ParkedStream): void {
    const projection = tableNameOf(collection);
    if (this.dependencies.parked.isParked(projection, parked.stream)) return;
    this.dependencies.parked.add(projection, parked);
    this.newlyParked.push({ projection, ...parked });
  }
}

/**
 * Returns a function that loads a document. If `events` has the first event of the document's stream, the function reads
 * nothing and returns null, because the document does not exist yet.
 */
const loadFrom = (
  tables: DocumentTables,
  { category, collection }: Projector,
  events: readonly RecordedEvent[],
): ((key: string) => StoredDocument | null) => {
  const newStreams = new Set<string>();
  for (const { meta } of events) if (meta.revision === 0) newStreams.add(meta.stream);
  return (key) => (newStreams.has(`${category}-${key}`) ? null : tables.get(collection, key));
};

const byStream = (events: readonly RecordedEvent[]): Iterable<readonly [RecordedEvent, ...RecordedEvent[]]> => {
  const streams = new Map<string, [RecordedEvent, ...RecordedEvent[]]>();
  for (const event of events) {
    const ofStream = streams.get(event.meta.stream);
    if (ofStream) ofStream.push(event);
    else streams.set(event.meta.stream, [event]);
  }
  return streams.values();
};
