import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import { categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { cutShort } from './codec.js';

/** What it takes to read a stream and to check it. */
export type VerifiedLog = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
};

const PAGE = 1_000;

/** A stream's events from the first one on, page by page, each checked against the one before it. Throws BrokenHistory. */
export async function* historyPages(
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

/** A whole stream, checked from its first event on. Throws BrokenHistory. */
export const historyOf = async (log: VerifiedLog, stream: string): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const page of historyPages(log, stream)) events.push(...page);
  return events;
};

/**
 * Looks again at broken streams that no read model shows, and so nobody tries again: those that are whole, up to the event that was at
 * fault, are cleared.
 */
export const recheckUnshown = async (
  log: VerifiedLog,
  faults: { readonly all: () => readonly HistoryFault[]; readonly clear: (stream: string) => Promise<void> },
  shownCategories: ReadonlySet<string>,
): Promise<void> => {
  for (const { stream, revision } of faults.all()) {
    if (shownCategories.has(categoryOf(stream)) || stream.startsWith('log')) continue;
    try {
      if ((await historyOf(log, stream)).length > revision) await faults.clear(stream);
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
    }
  }
};

/** One event, checked against the one before it; null when there is none. Throws BrokenHistory. */
export const eventAt = async (log: VerifiedLog, stream: string, revision: number): Promise<RecordedEvent | null> => {
  const [stored] = await log.store.readStream(stream, revision, 1);
  // A stream that lacks this event may have a later one.
  if (stored?.revision !== revision) return null;
  log.codec.verify(stored, await hashBefore(log, stored));
  return log.codec.decode(stored);
};

/** The hash of the event before this one, which is checked itself. Throws BrokenHistory when it is missing or altered. */
export const hashBefore = async ({ store, codec }: VerifiedLog, { stream, revision }: StoredEvent): Promise<string> => {
  if (revision === 0) return '';
  const [before] = await store.readStream(stream, revision - 1, 1);
  if (before?.revision !== revision - 1) throw new BrokenHistory(cutShort(stream, revision - 1, `event ${revision} is there`));
  return codec.hashOf(before);
};
