import { recheckUnprojected } from '../../../../libs/runtime/codec/verified-history.js';
import { catchUp, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { ProjectionEngine, type ProjectionEngineDependencies } from '../../../../libs/runtime/projecting/projection-engine.js';
import { meetRefolds } from '../../../../libs/runtime/operating/retry-requests.js';
import type { OperatorDecisions } from '../../../../libs/runtime/operating/operator-state.js';
import { checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import type { StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { SqliteStore } from '../../../../libs/adapters/sqlite/index.js';
import { pauseFor } from '../../../../libs/runtime/following/pause.js';
import type { SerialQueue } from '../../../../libs/eventsourcing/scheduling/serial-queue.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/event-codec.js';
import { NO_FAULTS, type HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';

/**
 * The number of events in one batch of the background check, and the pause in milliseconds after each batch. With these
 * values, the check uses at most a fifth of one processor, and holds up a request for less than a millisecond.
 */
const CHECK_BATCH = 30;
const CHECK_PAUSE = 3;
/** The number of documents that the background check compares with the log before it pauses. */
const DOCUMENT_BATCH = 100;

/** The parts of an embedded store with which its log and read models are checked and repaired. */
export type EmbeddedHistory = {
  readonly sqlite: SqliteStore;
  readonly codec: ReadCodec;
  readonly projectors: readonly Projector[];
  readonly faults: StreamFaults;
  readonly clock: Clock;
  readonly decisions: OperatorDecisions;
  /**
   * Runs one piece of work at a time. A batch that was computed before a stream was removed or released must not be stored after that:
   * it would bring back the document, or miss events.
   */
  readonly exclusively: SerialQueue;
};

/** Applies the log to those read models of `projectors` that no append updates. Returns the position that they have reached. */
export const catchUpEmbedded = async (
  { sqlite, codec, projectors, exclusively }: EmbeddedHistory,
  { onFault, verified = 'all', ...options }: CatchUpOptions & Pick<ProjectionEngineDependencies, 'onFault' | 'verified'>,
): Promise<number> => {
  const { events: store, target, head, isInline } = sqlite;
  // Each append updates the others.
  const behind = [...projectors, ...sqlite.fills.projectors()].filter(({ collection }) => !isInline(collection));
  if (behind.length === 0) return head();
  // A stream with a known fault is parked, or is verified again by a rebuild.
  const faults = NO_FAULTS;
  const engine = await ProjectionEngine.open({ store, codec, target, projectors: behind, faults, verified, ...(onFault && { onFault }) });
  return catchUp(store, engine, { ...options, exclusively });
};

/**
 * Yields a list of faults for each batch of documents, often `[]`, so that the caller can pause. A fault means that a document
 * has a higher revision than its stream in the log, so the log has lost events.
 */
function* findStreamsWithMissingEvents(
  { sqlite, projectors }: Pick<EmbeddedHistory, 'sqlite' | 'projectors'>,
  batch: number,
): Generator<readonly HistoryFault[]> {
  for (const projector of projectors) {
    for (let row: number | null = 0; row !== null;) {
      const missing = sqlite.findMissingStreams(projector, row, batch);
      yield missing.faults;
      row = missing.next;
    }
  }
}

/**
 * Yields a fault for each document with a higher revision than its stream in the log. Yields one more fault if the log ends
 * before the checkpoint of a read model or of another reader. Pauses between batches of documents. Ends when `signal` aborts.
 */
export async function* findMissingEvents(
  { sqlite, projectors, clock }: Pick<EmbeddedHistory, 'sqlite' | 'projectors' | 'clock'>,
  signal: AbortSignal,
): AsyncGenerator<HistoryFault> {
  const end = sqlite.findMissingEnd();
  if (end) yield end;
  for (const missing of findStreamsWithMissingEvents({ sqlite, projectors }, DOCUMENT_BATCH)) {
    yield* missing;
    await pauseFor(CHECK_PAUSE, clock, signal);
    if (signal.aborted) return;
  }
}

/**
 * Folds streams again of which operators have skipped other events, and retries parked streams, which checks them again. Also checks
 * each broken stream that no projection reads, and removes the documents of broken streams that could not be removed before. Calls
 * `onError` if that fails again. Returns the number of streams that are no longer parked. A stream that two read models had parked
 * counts twice.
 */
export const retryParkedStreams = async (history: EmbeddedHistory, onError: (error: unknown) => void): Promise<number> => {
  const { sqlite, codec, projectors, faults, decisions, exclusively } = history;
  for (const fault of faults.all()) await removeDocuments(history, fault).catch((error: unknown) => onError(error));
  const { projectionDocuments: documents } = sqlite;
  for (const projector of projectors.filter(({ name }) => !decisions.isPaused(name))) {
    const refold = (stream: string) => exclusively(() => sqlite.refold(projector, stream, faults));
    await meetRefolds({ decisions, documents, projection: projector.name, version: checkpointOf(projector.collection), refold });
  }
  // A stream without its last events looks intact. So a stream stays parked until it contains the revision of its known fault.
  const released = await exclusively(() => sqlite.retryParkedStreams(faults));
  await recheckUnprojected({ store: sqlite.events, codec }, faults, new Set(projectors.map(({ category }) => category)));
  return released.length;
};

/**
 * Removes the documents of all streams with a known fault, and rejects if that fails. Later, whenever a new fault is found,
 * removes the documents of its stream. Calls `onError` if that fails; the next retry of parked streams tries it again.
 */
export const removeBrokenDocuments = async (history: EmbeddedHistory, onError: (error: unknown) => void): Promise<void> => {
  const { faults } = history;
  faults.onFault((fault) => void removeDocuments(history, fault).catch(onError));
  for (const fault of faults.all()) await removeDocuments(history, fault);
};

/** Removes the documents of a broken stream from the read models that have not parked it. */
const removeDocuments = async ({ sqlite, projectors, exclusively }: EmbeddedHistory, fault: HistoryFault): Promise<void> => {
  for (const projector of [...projectors, ...sqlite.fills.projectors()].filter(({ category }) => category === categoryOf(fault.stream)))
    await exclusively(async () => {
      if (!sqlite.target.isParked(projector.collection, fault.stream)) await sqlite.removeBrokenDocuments(projector, [fault]);
    });
};

/**
 * Checks the whole log in the background. Also checks that the log contains every event that a read model or another reader
 * has processed. Records faults. Skips streams with a known fault.
 */
export const checkEmbedded = async ({ sqlite, codec, projectors, faults, clock }: EmbeddedHistory, signal: AbortSignal): Promise<void> => {
  const onFault = (fault: HistoryFault): void => faults.record(fault);
  for await (const fault of findMissingEvents({ sqlite, projectors, clock }, signal)) onFault(fault);
  await checkHistory({
    store: sqlite.events,
    codec,
    upTo: sqlite.head(),
    positions: 'without gaps',
    isSkipped: (stream) => faults.of(stream) !== undefined,
    onFault,
    onProgress: () => pauseFor(CHECK_PAUSE, clock, signal),
    signal,
    batch: CHECK_BATCH,
  });
};
