import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { BrokenHistory, isFaultOfLog, type HistoryFault } from '../../eventsourcing/history.js';
import { categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { missingEventFault } from './codec.js';

/** The store and the codec with which a stream is read and verified. */
export type VerifiedLog = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
};

const PAGE = 1_000;

/**
 * Yields pages of a stream's events, from the first event up to the revision `through`. Verifies each event: its own hash, and
 * that it follows the previous event. Throws BrokenHistory if an event was altered, is missing or cannot be read.
 */
export async function* readHistoryPages(
  { store, codec }: VerifiedLog,
  stream: string,
  through = Infinity,
): AsyncGenerator<readonly RecordedEvent[]> {
  let previousHash = '';
  for (let from = 0; from <= through; from += PAGE) {
    const stored = await store.readStream(stream, from, Math.min(PAGE, through - from + 1));
    yield stored.map((event) => {
      previousHash = codec.verify(event, previousHash);
      return codec.decode(event);
    });
    if (stored.length < PAGE) return;
  }
}

/** Returns all events of a stream. Verifies them, and rejects with BrokenHistory, like `readHistoryPages`. */
export const readHistory = async (log: VerifiedLog, stream: string): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const page of readHistoryPages(log, stream)) events.push(...page);
  return events;
};

/**
 * Checks again each broken stream that no projection reads. (Each projection checks its broken streams when it retries its
 * parked streams.) Clears the fault of a stream that is now intact up to and including the event at fault.
 */
export const recheckUnprojected = async (
  log: VerifiedLog,
  faults: { readonly all: () => readonly HistoryFault[]; readonly clear: (stream: string) => Promise<void> },
  projectedCategories: ReadonlySet<string>,
): Promise<void> => {
  for (const fault of faults.all()) {
    const { stream, revision } = fault;
    if (projectedCategories.has(categoryOf(stream)) || isFaultOfLog(fault)) continue;
    try {
      if ((await readHistory(log, stream)).length > revision) await faults.clear(stream);
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
    }
  }
};

/**
 * Returns one event, or null if it does not exist. Verifies its hash, and that it follows the previous event. Rejects with
 * BrokenHistory if one of the two events was altered, if the previous event is missing, or if the event cannot be read.
 */
export const readEvent = async (log: VerifiedLog, stream: string, revision: number): Promise<RecordedEvent | null> => {
  const [stored] = await log.store.readStream(stream, revision, 1);
  // If this event is missing, the store may return a later one.
  if (stored?.revision !== revision) return null;
  log.codec.verify(stored, await previousHashOf(log, stored));
  return log.codec.decode(stored);
};

/**
 * Verifies the previous event and returns its hash, or an empty text for the first event of a stream. Throws BrokenHistory if the
 * previous event is missing or altered.
 */
export const previousHashOf = async ({ store, codec }: VerifiedLog, { stream, revision }: StoredEvent): Promise<string> => {
  if (revision === 0) return '';
  const [before] = await store.readStream(stream, revision - 1, 1);
  if (before?.revision !== revision - 1) throw new BrokenHistory(missingEventFault(stream, revision - 1, `event ${revision} exists`));
  return codec.hashOf(before);
};
