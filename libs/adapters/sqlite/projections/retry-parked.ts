import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { aggregateIdOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isStorageFailure } from '../failures.js';
import { yieldToEventLoop } from '../../../eventsourcing/yield-to-event-loop.js';
import type { ProjectionParts } from './projection-parts.js';
import type { ParkedProjection } from './parked-streams.js';

const PAGE = 1_000;
const REST =
  'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?';

/** A stream that is no longer parked, and its projection. */
export type ReleasedStream = { readonly projection: string; readonly stream: string };

/**
 * Returns the known fault of a stream if it is after `lastRevision`, the last revision that was read without
 * a fault. Otherwise returns undefined.
 */
export type OpenFaultOf = (stream: string, lastRevision: number) => HistoryFault | undefined;

/**
 * Retries every parked stream in its own transaction, and verifies it from its first event. Returns the streams
 * that succeeded. Never rejects: a stream that fails again stays parked.
 */
export const retryParkedStreams = async (parts: ProjectionParts, openFaultOf: OpenFaultOf): Promise<readonly ReleasedStream[]> => {
  const byName = new Map(parts.projectors.map((projector) => [tableNameOf(projector.collection), projector]));
  const released: ReleasedStream[] = [];
  for (const parked of parts.parked.all()) {
    const projector = byName.get(parked.projection);
    if (!projector) continue;
    if (retryStream(parts, projector, parked, openFaultOf)) released.push({ projection: parked.projection, stream: parked.stream });
    await yieldToEventLoop();
  }
  return released;
};

const retryStream = (parts: ProjectionParts, projector: Projector, waiting: ParkedProjection, openFaultOf: OpenFaultOf): boolean => {
  const { stream, projection } = waiting;
  const { database, parked, log } = parts;
  try {
    const isReleased = database.transaction(() => {
      const fault = projectRest(parts, projector, stream, openFaultOf);
      if (fault) parked.add(projection, fault);
      else parked.remove(projection, stream);
      return fault === null;
    });
    if (isReleased) log.info({ projection, stream }, 'a parked stream has caught up');
    return isReleased;
  } catch (error) {
    // The rollback has restored the table, but not the cache.
    parked.cache(waiting);
    const level = isStorageFailure(error) ? 'warn' : 'error';
    log[level]({ projection, stream, reason: reasonOf(error) }, 'could not retry a parked stream');
    return false;
  }
};

/**
 * Applies the events of a parked stream up to the position of its projection, which reads later events
 * anyway. If the stream is broken, removes its document. Returns the remaining fault, or null.
 */
const projectRest = (parts: ProjectionParts, projector: Projector, stream: string, openFaultOf: OpenFaultOf): ParkedStream | null => {
  const { tables, checkpoints } = parts;
  const upTo = checkpoints.position(tableNameOf(projector.collection));
  const { events, fault } = readVerified(parts, stream, upTo);
  const broken = fault ?? openFaultOf(stream, events.at(-1)?.meta.revision ?? -1);
  if (broken) {
    removeBrokenDocument(parts, projector, stream);
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

/** Removes the document of a broken stream within the open transaction. */
export const removeBrokenDocument = ({ tables }: ProjectionParts, projector: Projector, stream: string): void => {
  const document = tables.get(projector.collection, aggregateIdOf(stream));
  if (document) tables.write(projector.removalWrites(document));
};

type VerifiedEvents = { readonly events: readonly RecordedEvent[]; readonly fault: ParkedStream | null };

const readVerified = ({ database, codec }: ProjectionParts, stream: string, upTo: number): VerifiedEvents => {
  const events: RecordedEvent[] = [];
  let previousHash = '';
  for (let from = 0; ; from += PAGE) {
    const stored = database.statement(REST).all(stream, from, upTo, PAGE) as unknown as StoredEvent[];
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
