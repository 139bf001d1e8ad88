import type { EventStore, ExpectedRevision, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory, isFaultOfLog, type HistoryFault } from '../../eventsourcing/history.js';
import { categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { missingEventFault } from './codec.js';

/** The store and the codec with which a stream is read and verified. */
export type VerifiedLog = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
};

const PAGE = 1_000;

/** The revisions to read: those after `after`, by default from the first event on, up to `through`, by default the last one. */
type Revisions = { readonly after?: number; readonly through?: number };

/**
 * Yields pages of a stream's events. Verifies each event: its own hash, and that it follows the previous event. Of the event
 * `after`, verifies only its own hash. Throws BrokenHistory if an event was altered, is missing or cannot be read.
 */
export async function* readHistoryPages(
  log: VerifiedLog,
  stream: string,
  { after = -1, through = Infinity }: Revisions = {},
): AsyncGenerator<readonly RecordedEvent[]> {
  const { store, codec } = log;
  // The event `after` is read with the events that follow it: another read would cost as much as theirs.
  let previousHash: string | null = after < 0 ? '' : null;
  for (let from = Math.max(0, after); from <= through; from += PAGE) {
    const limit = Math.min(PAGE, through - from + 1);
    const stored = await store.readStream(stream, from, limit);
    if (previousHash === null) previousHash = hashOfFirst(codec, stored, stream, after);
    const events: RecordedEvent[] = [];
    for (const event of stored) {
      if (event.revision === after) continue;
      previousHash = codec.verify(event, previousHash);
      events.push(codec.decode(event));
    }
    yield events;
    if (stored.length < limit) return;
  }
}

const hashOfFirst = (codec: ReadCodec, [first]: readonly StoredEvent[], stream: string, revision: number): string => {
  if (first?.revision !== revision) throw new BrokenHistory(missingEventFault(stream, revision, 'it was read before'));
  return codec.hashOf(first);
};

/** Returns all events of a stream. Verifies them, and rejects with BrokenHistory, like `readHistoryPages`. */
export const readHistory = async (log: VerifiedLog, stream: string): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const page of readHistoryPages(log, stream)) events.push(...page);
  return events;
};

/** Number of events per read of a search. */
const SEARCH_PAGE = 100;

/**
 * Returns the last event of a stream for which `isSought` is true, or null. `end` is the revision of the stream's last event. Reads
 * the stream backwards, because a repeated request asks for a recent event. Verifies each event, and that it follows the
 * previous one. Rejects with BrokenHistory like `readHistoryPages`.
 */
export const findLastEvent = async (
  log: VerifiedLog,
  stream: string,
  end: ExpectedRevision,
  isSought: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent | null> => {
  for (let through = end === 'none' ? -1 : end; through >= 0; through -= SEARCH_PAGE)
    for await (const events of readHistoryPages(log, stream, { after: Math.max(-1, through - SEARCH_PAGE), through })) {
      const found = events.findLast(isSought);
      if (found) return found;
    }
  return null;
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
