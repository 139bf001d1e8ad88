import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { HistoryReader } from './history-reader.js';
import type { VerifiedLog } from './verified-history.js';

/** Number of events per batch, by default. */
const BATCH = 1_000;

export type HistoryCheck = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly codec: VerifiedLog['codec'];
  /** The position before the first event to check. Default: 0. */
  readonly after?: number;
  /** The position of the last event to check. */
  readonly upTo: number;
  /** `without gaps`: a missing position means a missing event, as in the embedded store. */
  readonly positions: 'without gaps' | 'with gaps';
  /** Returns whether a stream is skipped. */
  readonly isSkipped?: (stream: string) => boolean;
  /** Called for the first fault of each stream, and for missing positions. */
  readonly onFault: (fault: HistoryFault) => void;
  /** Called after each batch with the position reached. Its promise is awaited. */
  readonly onProgress?: (position: number) => Promise<void> | void;
  readonly signal?: AbortSignal;
  readonly batch?: number;
};

/** Checks the hash chains of all streams in a range of the log: the events after the position `after`, up to `upTo`. */
export const checkHistory = async (check: HistoryCheck): Promise<void> => {
  const { store, codec, upTo, signal, batch = BATCH } = check;
  const reader = new HistoryReader({ store, codec });
  const broken = new Set<string>();
  const isSkipped = (stream: string): boolean => broken.has(stream) || (check.isSkipped?.(stream) ?? false);
  for (let position = check.after ?? 0; position < upTo && !signal?.aborted;) {
    const stored = await store.readAll(position, batch);
    if (check.positions === 'without gaps') findGaps(stored, position).forEach(check.onFault);
    const { faults } = await reader.read(stored, isSkipped);
    for (const fault of faults) {
      broken.add(fault.stream);
      check.onFault(fault);
    }
    const last = stored.at(-1);
    if (!last) return;
    ({ position } = last);
    await check.onProgress?.(position);
  }
};

/**
 * Returns a fault for each gap in the positions. A gap does not show to which streams the missing events belonged, so its
 * fault names the stream `log@<position>`.
 */
export const findGaps = (stored: readonly StoredEvent[], after: number): readonly HistoryFault[] => {
  const faults: HistoryFault[] = [];
  let expected = after + 1;
  for (const { position } of stored) {
    if (position > expected) faults.push(missingPositions(expected, position - 1));
    expected = position + 1;
  }
  return faults;
};

const missingPositions = (from: number, to: number): HistoryFault => ({
  stream: `log@${from}`,
  revision: 0,
  kind: 'altered',
  reason: from === to ? `position ${from} of the log is missing` : `positions ${from} to ${to} of the log are missing`,
  tenant: null,
});

/**
 * Returns a codec that verifies the hash chain but does not decode the data. So it accepts events of newer software versions.
 */
export const chainOnlyCodec = ({ verify, hashOf, skippedRevisions }: VerifiedLog['codec']): VerifiedLog['codec'] => ({
  verify,
  hashOf,
  skippedRevisions,
  decode: ({ id, position, type, stream, revision }) => ({
    id,
    position,
    type,
    data: null,
    meta: { stream, revision, tenant: '', time: '', actor: '', correlationId: '', causationId: '' },
  }),
});
