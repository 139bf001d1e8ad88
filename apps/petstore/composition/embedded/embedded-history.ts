import { recheckUnprojected } from '../../../../libs/runtime/codec/verified-history.js';
import { catchUp, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { remainingFault } from '../../../../libs/runtime/projecting/projection-worker.js';
import { checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import type { StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { SqliteStore } from '../../../../libs/adapters/sqlite/index.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/handle.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';

/**
 * The number of events in one batch of the background check, and the pause after it in milliseconds. With them, the
 * check uses at most a fifth of one processor.
 */
const CHECK_BATCH = 100;
const CHECK_PAUSE = 4;
/** The number of documents in one comparison with the log. */
const DOCUMENT_BATCH = 200;

/** An embedded store with what is needed to check and repair its history. */
export type EmbeddedHistory = {
  readonly embedded: SqliteStore;
  readonly codec: ReadCodec;
  readonly projectors: readonly Projector[];
  readonly faults: StreamFaults;
  readonly clock: Clock;
};

/** Applies the log to all read models. Resolves with the position that they have reached. */
export const catchUpEmbedded = (
  { embedded, codec, projectors }: EmbeddedHistory,
  options: Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'> & Partial<Pick<CatchUpOptions, 'removeDocuments'>>,
): Promise<number> =>
  catchUp(embedded.events, embedded.projectionDocuments, projectors, {
    codec,
    removeDocuments: (projector, broken) => embedded.removeBrokenDocuments(projector, broken),
    park: (projector, streams) => embedded.park(projector, streams),
    isParked: (projector, stream) => embedded.isParked(projector, stream),
    ...options,
  });

/**
 * Yields the faults of streams with missing events: their documents have a higher revision than the log. Each
 * step compares as many documents as `documents` says.
 */
export function* findStreamsWithMissingEvents(
  { embedded, projectors }: Pick<EmbeddedHistory, 'embedded' | 'projectors'>,
  documents: number,
): Generator<readonly HistoryFault[]> {
  for (const projector of projectors) {
    for (let row: number | null = 0; row !== null;) {
      const missing = embedded.findMissingStreams(projector, row, documents);
      yield missing.faults;
      row = missing.next;
    }
  }
}

/** Retries parked and broken streams. Resolves with the number of streams that are no longer parked. */
export const retryParkedStreams = async ({ embedded, codec, projectors, faults }: EmbeddedHistory): Promise<number> => {
  const released = await embedded.retryParkedStreams((stream, revision) => remainingFault(faults.of(stream), undefined, [{ revision }]));
  for (const { stream } of released) if (faults.of(stream)) await faults.clear(stream);
  await recheckUnprojected({ store: embedded.events, codec }, faults, new Set(projectors.map(({ category }) => category)));
  return released.length;
};

/**
 * Removes the documents of broken streams from the read models: now for the known faults, and later for each new one.
 */
export const removeBrokenDocuments = async (
  { embedded, projectors, faults }: EmbeddedHistory,
  onError: (error: unknown) => void,
): Promise<void> => {
  const removeDocuments = async (fault: HistoryFault): Promise<void> => {
    for (const projector of projectors.filter(({ category }) => category === categoryOf(fault.stream)))
      if (!embedded.isParked(projector, fault.stream)) await embedded.removeBrokenDocuments(projector, [fault]);
  };
  faults.onFault((fault) => void removeDocuments(fault).catch(onError));
  for (const fault of faults.all()) await removeDocuments(fault);
};

/**
 * Checks the whole log in the background, and whether it contains every event that a reader has processed. Records
 * faults. Skips streams with a known fault.
 */
export const checkEmbedded = async (
  { embedded, codec, projectors, faults, clock }: EmbeddedHistory,
  signal: AbortSignal,
): Promise<void> => {
  const rest = (): Promise<void> => pause(clock, signal);
  const onFault = (fault: HistoryFault): void => faults.record(fault);
  const end = embedded.findMissingEnd();
  if (end) onFault(end);
  for (const missing of findStreamsWithMissingEvents({ embedded, projectors }, DOCUMENT_BATCH)) {
    missing.forEach(onFault);
    await rest();
    if (signal.aborted) break;
  }
  await checkHistory({
    store: embedded.events,
    codec,
    upTo: embedded.head(),
    positions: 'without gaps',
    isSkipped: (stream) => faults.of(stream) !== undefined,
    onFault,
    onProgress: rest,
    signal,
    batch: CHECK_BATCH,
  });
};

/** Resolves after the pause, or when the check is aborted. */
const pause = (clock: Clock, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(CHECK_PAUSE, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
