import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import type { RecordedEvent } from '../../../eventsourcing/message.js';
import { brokenStream, remainingFault, retryStream, type ReadModelChange } from '../../../eventsourcing/projecting.js';
import type { ParkedStream, Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isStorageFailure } from '../failures.js';
import type { ProjectionDependencies } from './projection-dependencies.js';
import type { FolderTarget } from './folder-target.js';

const PAGE = 1_000;
const EVENTS_OF_STREAM =
  'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?';

/** A stream that is no longer parked, and its projection. */
export type ReleasedStream = { readonly projection: string; readonly stream: string };

/**
 * Retries the parked streams of the current projections, each stream in its own commit. Verifies each stream from its
 * first event. Returns the streams that succeeded. A stream that fails again stays parked.
 */
export const retryParkedStreams = async (
  dependencies: ProjectionDependencies,
  target: FolderTarget,
  knownFaultOf: (stream: string) => HistoryFault | undefined,
): Promise<readonly ReleasedStream[]> => {
  const released: ReleasedStream[] = [];
  for (const projector of dependencies.projectors)
    for (const { stream } of target.parkedStreams(projector.collection)) {
      const where = { projection: tableNameOf(projector.collection), stream };
      try {
        let isReleased = false;
        // An append during the retry would not be applied. So the stream is read in the commit.
        await target.storeAll(() => {
          const change = changeOf(dependencies, projector, stream, knownFaultOf(stream));
          isReleased = change.released.length > 0;
          return [change];
        });
        if (!isReleased) continue;
        released.push(where);
        dependencies.log.info(where, 'a parked stream has caught up');
      } catch (error) {
        const level = isStorageFailure(error) ? 'warn' : 'error';
        dependencies.log[level]({ ...where, reason: reasonOf(error) }, 'could not retry a parked stream');
      }
    }
  return released;
};

/** Reads a parked stream up to the position of its projection, which applies later events as usual. */
const changeOf = (
  dependencies: ProjectionDependencies,
  projector: Projector,
  stream: string,
  known: HistoryFault | undefined,
): ReadModelChange => {
  const { tables, checkpoints } = dependencies;
  const { collection } = projector;
  const { events, fault } = readVerified(dependencies, stream, checkpoints.position(tableNameOf(collection)));
  const missing = fault ? undefined : remainingFault(known, undefined, events.at(-1)?.meta.revision ?? -1);
  const broken = fault ?? (missing && brokenStream(missing));
  return { collection, ...retryStream(projector, { stream, events, broken }, (key) => tables.get(collection, key)), reached: null };
};

type VerifiedEvents = { readonly events: readonly RecordedEvent[]; readonly fault?: ParkedStream };

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
    if (stored.length < PAGE) return { events };
  }
};
