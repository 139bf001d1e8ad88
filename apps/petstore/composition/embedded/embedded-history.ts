import { recheckUnshown } from '../../../../libs/runtime/codec/verified-history.js';
import { catchUp, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { stillBroken } from '../../../../libs/runtime/projecting/projecting.js';
import { checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import type { StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { Sqlite } from '../../../../libs/adapters/sqlite/index.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/handle.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';

/** Events checked at a time beside requests, and the milliseconds of rest after them: a fifth of one processor at most. */
const CHECK_BATCH = 100;
const CHECK_PAUSE = 4;
/** Documents compared with the log at a time. */
const DOCUMENT_BATCH = 200;

export type EmbeddedHistory = {
  readonly embedded: Sqlite;
  readonly codec: ReadCodec;
  readonly projectors: readonly Projector[];
  readonly faults: StreamFaults;
  readonly clock: Clock;
};

/** Brings read models that are new, or behind, to the end of the log; resolves with the position reached. */
export const catchUpEmbedded = (
  { embedded, codec, projectors }: EmbeddedHistory,
  how: Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'>,
): Promise<number> =>
  catchUp(embedded.events, embedded.building, projectors, {
    codec,
    withdraw: (projector, broken) => embedded.withdraw(projector, broken),
    park: (projector, streams) => embedded.park(projector, streams),
    isParked: (projector, stream) => embedded.isParked(projector, stream),
    ...how,
  });

/** Projects again what projections could not take, and looks again at broken streams; resolves with how many came free. */
export const retryParkedStreams = async ({ embedded, codec, projectors, faults }: EmbeddedHistory): Promise<number> => {
  const freed = await embedded.retryParkedStreams((stream, revision) => stillBroken(faults.of(stream), undefined, [{ revision }]));
  for (const { stream } of freed) if (faults.of(stream)) await faults.clear(stream);
  await recheckUnshown({ store: embedded.events, codec }, faults, new Set(projectors.map(({ category }) => category)));
  return freed.length;
};

/** Takes the documents of broken streams out of the read models, those that were found before, too. */
export const withdrawBrokenStreams = async (
  { embedded, projectors, faults }: EmbeddedHistory,
  onError: (error: unknown) => void,
): Promise<void> => {
  const withdraw = async (fault: HistoryFault): Promise<void> => {
    const projector = projectors.find(({ category }) => category === categoryOf(fault.stream));
    if (projector && !embedded.isParked(projector, fault.stream)) await embedded.withdraw(projector, [fault]);
  };
  faults.onNoted((fault) => void withdraw(fault).catch(onError));
  for (const fault of faults.all()) await withdraw(fault);
};

/**
 * Checks, beside requests, the whole log, and that it has all that its readers have seen. What is broken is noted among the
 * faults; streams that are there already are not looked at again.
 */
export const checkEmbedded = async (
  { embedded, codec, projectors, faults, clock }: EmbeddedHistory,
  signal: AbortSignal,
): Promise<void> => {
  const rest = (): Promise<void> => pause(clock, signal);
  const onFault = (fault: HistoryFault): void => faults.note(fault);
  const end = embedded.lostEnd();
  if (end) onFault(end);
  for (const shown of projectors) {
    for (let row: number | null = 0; row !== null && !signal.aborted; await rest()) {
      const lost = embedded.lostStreams(shown, row, DOCUMENT_BATCH);
      lost.faults.forEach(onFault);
      row = lost.next;
    }
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

/** Resolves after the rest, or once nobody waits for the check any more. */
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
