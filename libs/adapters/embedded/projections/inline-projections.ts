import type { StoredDocument } from '../../../eventsourcing/documents.port.js';
import type { StoredEvent } from '../../../eventsourcing/event-store.port.js';
import { categoryOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import type { Checkpoints } from '../documents/checkpoints.js';
import { tableNameOf } from '../documents/declared-sql.js';
import type { DocumentTables } from '../documents/document-tables.js';
import { isStorageFailure, reasonOf } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { Log } from '../log-lines.js';
import type { CommitPart } from '../log/log-writer.js';
import type { ParkedProjection, ParkedStreams } from './parked-streams.js';

export type ProjectionParts = {
  readonly database: Database;
  readonly tables: DocumentTables;
  readonly checkpoints: Checkpoints;
  readonly parked: ParkedStreams;
  readonly projectors: readonly Projector[];
  readonly decode: (event: StoredEvent) => RecordedEvent;
  readonly log: Log;
};

/** One category's events of a commit, and the streams among them whose event could not be read. */
type Decoded = { readonly events: RecordedEvent[]; readonly unreadable: Map<string, ParkedStream> };

/**
 * Lets the projections that follow the log change in the same commit as it. "A projection's bug must not refuse a
 * sale": what a projection cannot take parks its stream, and the append goes on.
 */
export class InlineProjections implements CommitPart {
  private newlyParked: ParkedProjection[] = [];

  constructor(private readonly parts: ProjectionParts) {}

  inside(appended: readonly StoredEvent[]): void {
    const { projectors, checkpoints } = this.parts;
    const following = projectors.filter(({ collection }) => checkpoints.isFollowing(tableNameOf(collection)));
    const decoded = this.decodeAll(appended, new Set(following.map(({ category }) => category)));
    for (const projector of following) {
      const batch = decoded.get(projector.category);
      if (!batch) continue;
      for (const unreadable of batch.unreadable.values()) this.park(projector, unreadable);
      if (batch.events.length > 0) this.run(projector, batch.events);
    }
  }

  committed(): void {
    for (const { reason, ...where } of this.newlyParked)
      this.parts.log.error({ ...where, reason }, 'a projection cannot take an event; its stream waits');
    this.newlyParked = [];
  }

  rolledBack(): void {
    for (const { projection, stream } of this.newlyParked) this.parts.parked.drop(projection, stream);
    this.newlyParked = [];
  }

  private decodeAll(appended: readonly StoredEvent[], wanted: ReadonlySet<string>): ReadonlyMap<string, Decoded> {
    const byCategory = new Map<string, Decoded>();
    for (const stored of appended) {
      const category = categoryOf(stored.stream);
      if (!wanted.has(category)) continue;
      let batch = byCategory.get(category);
      if (!batch) byCategory.set(category, (batch = { events: [], unreadable: new Map() }));
      const { stream, revision, position } = stored;
      if (batch.unreadable.has(stream)) continue;
      try {
        batch.events.push(this.parts.decode(stored));
      } catch (error) {
        batch.unreadable.set(stream, { stream, revision, position, reason: reasonOf(error) });
      }
    }
    return byCategory;
  }

  /** All streams at once; when that fails, each by itself, to park only those at fault. */
  private run(projector: Projector, events: readonly RecordedEvent[]): void {
    const failure = this.attempt(projector, events);
    if (failure === null) return;
    for (const [first, ...rest] of byStream(events)) {
      const reason = this.attempt(projector, [first, ...rest]);
      if (reason !== null)
        this.park(projector, { stream: first.meta.stream, revision: first.meta.revision, position: first.position, reason });
    }
  }

  /** Projects within a savepoint; answers why it could not. What the disk refuses undoes the whole commit. */
  private attempt(projector: Projector, events: readonly RecordedEvent[]): string | null {
    const { database, tables, parked } = this.parts;
    const name = tableNameOf(projector.collection);
    const load = loadFrom(tables, projector, events);
    try {
      const run = database.part(() => {
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
    if (this.parts.parked.isParked(projection, parked.stream)) return;
    this.parts.parked.add(projection, parked);
    this.newlyParked.push({ projection, ...parked });
  }
}

/** A stream that begins with these events has no document yet: it need not be looked for. */
const loadFrom = (
  tables: DocumentTables,
  { category, collection }: Projector,
  events: readonly RecordedEvent[],
): ((key: string) => StoredDocument | null) => {
  const fresh = new Set<string>();
  for (const { meta } of events) if (meta.revision === 0) fresh.add(meta.stream);
  return (key) => (fresh.has(`${category}-${key}`) ? null : tables.get(collection, key));
};

const byStream = (events: readonly RecordedEvent[]): Iterable<readonly [RecordedEvent, ...RecordedEvent[]]> => {
  const streams = new Map<string, [RecordedEvent, ...RecordedEvent[]]>();
  for (const event of events) {
    const known = streams.get(event.meta.stream);
    if (known) known.push(event);
    else streams.set(event.meta.stream, [event]);
  }
  return streams.values();
};
