import { checkHistory } from '../../libs/application/history-check.js';
import type { StreamFaults } from '../../libs/application/stream-faults.js';
import type { Embedded } from '../../libs/adapters/embedded/index.js';
import type { Clock } from '../../libs/eventsourcing/clock.port.js';
import type { ReadCodec } from '../../libs/eventsourcing/handle.js';
import type { HistoryFault } from '../../libs/eventsourcing/history.js';
import { categoryOf } from '../../libs/eventsourcing/message.js';
import type { Projector } from '../../libs/eventsourcing/projection.js';

/** Events checked at a time beside requests, and the milliseconds of rest after them: a fifth of one processor at most. */
const CONSIDERATE = 100;
const REST = 4;
/** Documents compared with the log at a time. */
const DOCUMENTS = 200;

export type EmbeddedHistory = {
  readonly embedded: Embedded;
  readonly codec: ReadCodec;
  readonly projectors: readonly Projector[];
  readonly faults: StreamFaults;
  readonly clock: Clock;
};

/** Takes the documents of broken streams out of the read models, those that were found before, too. */
export const withdrawBroken = async (
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

/** How much of the machine a check takes: all of it, or what is left beside requests. */
export type CheckPace = 'considerate' | 'all out';

/** Checks the whole log, and that it has all that its readers have seen. */
export const checkEmbedded = async (
  { embedded, codec, projectors, clock }: Omit<EmbeddedHistory, 'faults'>,
  options: {
    readonly pace: CheckPace;
    readonly signal: AbortSignal;
    readonly onFault: (fault: HistoryFault) => void;
    readonly isSkipped?: (stream: string) => boolean;
  },
): Promise<void> => {
  const { pace, signal, onFault } = options;
  const rest = (): Promise<void> => (pace === 'all out' ? Promise.resolve() : new Promise((resolve) => void clock.after(REST, resolve)));
  const end = embedded.lostEnd();
  if (end) onFault(end);
  for (const shown of projectors) {
    for (let row: number | null = 0; row !== null && !signal.aborted; await rest()) {
      const lost = embedded.lostStreams(shown, row, DOCUMENTS);
      lost.faults.forEach(onFault);
      row = lost.next;
    }
  }
  await checkHistory({
    store: embedded.events,
    codec,
    upTo: embedded.head(),
    positions: 'without gaps',
    onFault,
    onProgress: rest,
    signal,
    ...(pace === 'considerate' && { batch: CONSIDERATE }),
    ...(options.isSkipped && { isSkipped: options.isSkipped }),
  });
};
