import type { StoredEvent } from '../../../eventsourcing/event-store.port.js';
import { aggregateIdOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { isStorageFailure, reasonOf } from '../failures.js';
import { turn } from '../../../eventsourcing/turn.js';
import type { ProjectionParts } from './projection-parts.js';
import type { ParkedProjection } from './parked-streams.js';

const PAGE = 1_000;
const REST =
  'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?';

/**
 * Projects what waits of every parked stream, in order, each stream in a transaction of its own; answers how many came
 * free. Rejects with nothing: a stream that still cannot be taken goes on waiting.
 */
export const retryParkedStreams = async (parts: ProjectionParts): Promise<number> => {
  const byName = new Map(parts.projectors.map((projector) => [tableNameOf(projector.collection), projector]));
  let freed = 0;
  for (const parked of parts.parked.all()) {
    const projector = byName.get(parked.projection);
    if (!projector) continue;
    if (retry(parts, projector, parked)) freed++;
    await turn();
  }
  return freed;
};

const retry = (parts: ProjectionParts, projector: Projector, waiting: ParkedProjection): boolean => {
  const { stream, projection } = waiting;
  const { database, parked, log } = parts;
  try {
    const free = database.transaction(() => {
      const fault = projectRest(parts, projector, stream);
      if (fault) parked.add(projection, fault);
      else parked.remove(projection, stream);
      return fault === null;
    });
    if (free) log.info({ projection, stream }, 'a parked stream is caught up');
    return free;
  } catch (error) {
    parked.put(waiting);
    const level = isStorageFailure(error) ? 'warn' : 'error';
    log[level]({ projection, stream, reason: reasonOf(error) }, 'a parked stream could not be tried again');
    return false;
  }
};

/**
 * From the event after the last one in its document, as far as the projection has come: what is beyond that comes to it
 * anyway. Answers what it still cannot take.
 */
const projectRest = (parts: ProjectionParts, projector: Projector, stream: string): ParkedStream | null => {
  const { database, tables, checkpoints } = parts;
  const upTo = checkpoints.position(tableNameOf(projector.collection));
  const load = (key: string) => tables.get(projector.collection, key);
  for (let from = (load(aggregateIdOf(stream))?.revision ?? -1) + 1; ; from += PAGE) {
    const stored = database.statement(REST).all(stream, from, upTo, PAGE) as unknown as StoredEvent[];
    const { events, fault } = readable(parts, stored);
    const run = projector.project(events, load, () => false);
    tables.write(run.writes);
    const stuck = run.parked[0] ?? fault;
    if (stuck) return stuck;
    if (stored.length < PAGE) return null;
  }
};

const readable = ({ decode }: ProjectionParts, stored: readonly StoredEvent[]): { events: RecordedEvent[]; fault: ParkedStream | null } => {
  const events: RecordedEvent[] = [];
  for (const event of stored) {
    try {
      events.push(decode(event));
    } catch (error) {
      const { stream, revision, position } = event;
      return { events, fault: { stream, revision, position, reason: reasonOf(error) } };
    }
  }
  return { events, fault: null };
};
