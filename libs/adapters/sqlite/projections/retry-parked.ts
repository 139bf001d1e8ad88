import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { aggregateIdOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isStorageFailure } from '../failures.js';
import type { ProjectionDependencies } from './projection-dependencies.js';
import type { ParkedProjection } from './parked-streams.js';

const PAGE = 1_000;
const EVENTS_OF_STREAM =
  'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?';

/** A stream that is no longer parked, and its projection. */
export type ReleasedStream = { readonly projection: string; readonly stream: string };

/**
 * Returns the known fault of a stream if the fault is after `lastRevision`, otherwise undefined. `lastRevision` is the revision
 * of the last event that the retry has read without a fault.
 */
export type KnownFaultAfter = (stream: string, lastRevision: number) => HistoryFault | undefined;

/**
 * Retries the parked streams of the current projections, each stream in its own commit. Verifies each stream from its
 * first event. Returns the streams that succeeded. A stream that fails again stays parked.
 */
export const retryParkedStreams = async (
  dependencies: ProjectionDependencies,
  knownFaultAfter: KnownFaultAfter,
): Promise<readonly ReleasedStream[]> => {
  const byName = new Map(dependencies.projectors.map((projector) => [tableNameOf(projector.collection), projector]));
  const released: ReleasedStream[] = [];
  for (const parked of dependencies.parked.all()) {
    const projector = byName.get(parked.projection);
    if (!projector) continue;
    if (await retryStream(dependencies, projector, parked, knownFaultAfter))
      released.push({ projection: parked.projection, stream: parked.stream });
  }
  return released;
};

const retryStream = async (
  dependencies: ProjectionDependencies,
  projector: Projector,
  entry: ParkedProjection,
  knownFaultAfter: KnownFaultAfter,
): Promise<boolean> => {
  const { stream, projection } = entry;
  const { queue, parked, log } = dependencies;
  try {
    const isReleased = await queue.write('alone', () => {
      const fault = projectParkedStream(dependencies, projector, stream, knownFaultAfter);
      if (fault) parked.add(projection, fault);
      else parked.remove(projection, stream);
      return fault === null;
    });
    if (isReleased) log.info({ projection, stream }, 'a parked stream has caught up');
    return isReleased;
  } catch (error) {
    // The rollback has restored the table, but not the cache.
    parked.cache(entry);
    const level = isStorageFailure(error) ? 'warn' : 'error';
    log[level]({ projection, stream, reason: reasonOf(error) }, 'could not retry a parked stream');
    return false;
  }
};

/**
 * Applies the events of a parked stream up to the position of its projection. The projection applies later events as usual.
 * Removes the document of a broken stream. Returns the fault that keeps the stream parked, or null after a success.
 */
const projectParkedStream = (
  dependencies: ProjectionDependencies,
  projector: Projector,
  stream: string,
  knownFaultAfter: KnownFaultAfter,
): ParkedStream | null => {
  const { tables, checkpoints } = dependencies;
  const upTo = checkpoints.position(tableNameOf(projector.collection));
  const { events, fault } = readVerified(dependencies, stream, upTo);
  const broken = fault ?? knownFaultAfter(stream, events.at(-1)?.meta.revision ?? -1);
  if (broken) {
    removeBrokenDocument(dependencies, projector, stream);
    // A known fault has no position in the log.
    return { position: 0, ...broken };
  }
  const run = projector.project(
    events,
    (key) => tables.get(projector.collection, key),
    () => false,
  );
  tables.write(run.writes);
  return run.parked[0] ?? null;
};

/** Removes the document of a broken stream within the open or recorded transaction. */
export const removeBrokenDocument = ({ tables }: ProjectionDependencies, projector: Projector, stream: string): void => {
  const document = tables.get(projector.collection, aggregateIdOf(stream));
  if (document) tables.write(projector.removalWrites(document));
};

type VerifiedEvents = { readonly events: readonly RecordedEvent[]; readonly fault: ParkedStream | null };

const readVerified = ({ database, codec }: ProjectionDependencies, stream: string, upTo: number): VerifiedEvents => {
  const events: RecordedEvent[] = [];
  let previousHash = '';
  for (let from = 0; ; from += PAGE) {
    const stored = database.statement(EVENTS_OF_STREAM).all(stream, from, upTo, PAGE) as unknown as StoredEvent[];
    for (const event of stored) {
      try {
        previousHash = codec.verify(event, previousHash);
        events.push(codec.decode(event));
      } catch (error) {
        return { events, fault: { stream, revision: event.revision, position: event.position, reason: reasonOf(error) } };
      }
    }
    if (stored.length < PAGE) return { events, fault: null };
  }
};
