import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable, type StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory, type HistoryFault } from '../../../eventsourcing/history.js';
import type { RecordedEvent } from '../../../eventsourcing/message.js';
import { brokenStream, refoldStream, remainingFault, retryStream, type ReadAgain } from '../../../eventsourcing/projecting.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { ProjectionDependencies } from './projection-dependencies.js';
import type { FolderTarget } from './folder-target.js';

const PAGE = 1_000;
const EVENTS_OF_STREAM =
  'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?';

/** A stream that is no longer parked, and its projection. */
export type ReleasedStream = { readonly projection: string; readonly stream: string };

/** The known broken streams. */
export type KnownFaults = {
  readonly of: (stream: string) => HistoryFault | undefined;
  /** Forgets the fault of a stream that is intact again. */
  readonly clear: (stream: string) => Promise<void>;
};

/**
 * Retries the parked streams of the current projections, each stream in its own commit. Verifies each stream from its
 * first event. Returns the streams that succeeded. A stream that fails again stays parked.
 */
export const retryParkedStreams = async (
  dependencies: ProjectionDependencies,
  target: FolderTarget,
  faults: KnownFaults,
): Promise<readonly ReleasedStream[]> => {
  const released: ReleasedStream[] = [];
  const { projectors, checkpoints } = dependencies;
  for (const projector of projectors.filter(({ collection }) => !checkpoints.isPaused(tableNameOf(collection))))
    for (const { stream } of target.parkedStreams(projector.collection)) {
      const where = { projection: tableNameOf(projector.collection), stream };
      try {
        if (!(await foldAgain(dependencies, target, projector, stream, faults, retryStream))) continue;
        released.push(where);
        dependencies.log.info(where, 'a parked stream has caught up');
      } catch (error) {
        const level = error instanceof StoreUnavailable ? 'warn' : 'error';
        dependencies.log[level]({ ...where, reason: reasonOf(error) }, 'could not retry a parked stream');
      }
    }
  return released;
};

/** Folds a stream of a read model again from its first event, because operators have skipped other events of it since. */
export const refold = async (
  dependencies: ProjectionDependencies,
  target: FolderTarget,
  projector: Projector,
  stream: string,
  faults: KnownFaults,
): Promise<void> => {
  await foldAgain(dependencies, target, projector, stream, faults, refoldStream);
};

/**
 * Folds a stream. An append meanwhile would be missed, so the stream is read in the commit. Clears its fault if it is intact. Returns
 * whether the stream is no longer parked.
 */
const foldAgain = async (
  dependencies: ProjectionDependencies,
  target: FolderTarget,
  projector: Projector,
  stream: string,
  faults: KnownFaults,
  fold: typeof retryStream,
): Promise<boolean> => {
  const { collection } = projector;
  let outcome = { isIntact: false, isReleased: false };
  await target.storeAll(() => {
    const again = readAgain(dependencies, collection, stream, faults.of(stream));
    const changes = fold(projector, again, (key) => target.get(collection, key));
    outcome = { isIntact: again.broken === undefined, isReleased: changes.released.length > 0 };
    return [{ collection, ...changes, reached: null }];
  });
  const { isIntact, isReleased } = outcome;
  if (isIntact && faults.of(stream)) await faults.clear(stream);
  return isReleased;
};

/** Reads a parked stream up to the position of its read model. Later events are applied as usual. */
const readAgain = (
  { database, codec, checkpoints }: ProjectionDependencies,
  collection: Collection,
  stream: string,
  known: HistoryFault | undefined,
): ReadAgain => {
  const upTo = checkpoints.position(tableNameOf(collection));
  const events: RecordedEvent[] = [];
  let previousHash = '';
  for (let from = 0; ; from += PAGE) {
    const stored = database.statement(EVENTS_OF_STREAM).all(stream, from, upTo, PAGE) as unknown as StoredEvent[];
    try {
      for (const event of stored) {
        previousHash = codec.verify(event, previousHash);
        events.push(codec.decode(event));
      }
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
      return { stream, events, broken: brokenStream(error.fault, stored) };
    }
    if (stored.length < PAGE) break;
  }
  const missing = remainingFault(known, events.at(-1)?.meta.revision ?? -1);
  return { stream, events, broken: missing && brokenStream(missing) };
};
