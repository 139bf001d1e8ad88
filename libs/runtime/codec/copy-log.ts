import { StoreUnavailable, type AppendResult, type EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

const PAGE = 1_000;
/** What goes over in one append, in bytes: EventStoreDB takes 1,048,576 of them in all, names and numbers included. */
const MOST_BYTES = 500_000;

/** The other log has something else where an event was to go: it is no copy of this one. */
export class OtherHistory extends Error {
  override readonly name = 'OtherHistory';
}

/** The other store does not take an event. */
export class NotCopied extends Error {
  override readonly name = 'NotCopied';
}

/**
 * Carries a log over into another store, event by event in its order, with the same ids and the same bytes, so that hashes
 * stay what they are. Begun again it goes on: "the same event ids appended again at the same place answer as the first
 * time". Rejects with OtherHistory when the other log has events of its own, with NotCopied when it does not take one of these, and with
 * StoreUnavailable.
 */
export const copyLog = async (from: EventStore, to: EventStore, onProgress: (position: number) => void): Promise<void> => {
  for (let position = 0; ;) {
    const events = await from.readAll(position, PAGE);
    for (const run of runsOf(events)) {
      await append(run, to);
      position = run.at(-1)?.position ?? position;
      onProgress(position);
    }
    if (events.length === 0) return;
  }
};

/** Events of one stream that follow each other go over together, as far as one append holds them. */
const runsOf = (events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] => {
  const runs: StoredEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const run = runs.at(-1);
    bytes += sizeOf(event);
    if (run?.[0]?.stream === event.stream && bytes <= MOST_BYTES) run.push(event);
    else {
      runs.push([event]);
      bytes = sizeOf(event);
    }
  }
  return runs;
};

const sizeOf = ({ data, metadata }: StoredEvent): number => Buffer.byteLength(data) + Buffer.byteLength(metadata);

const append = async (run: readonly StoredEvent[], to: EventStore): Promise<void> => {
  const [first] = run;
  if (!first) return;
  const result = await appended(first, run, to);
  if (result.kind === 'appended') return;
  if (run.length === 1) throw new OtherHistory(`${first.stream} has another history there: copy into servers that hold nothing else`);
  // Some of them may be there from a copy that was made before the others came.
  for (const event of run) await append([event], to);
};

const appended = async (first: StoredEvent, run: readonly StoredEvent[], to: EventStore): Promise<AppendResult> => {
  const { stream, revision } = first;
  try {
    const events = run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    return await to.append(stream, revision === 0 ? 'none' : revision - 1, events);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new NotCopied(`${stream}, revision ${revision}: ${reasonOf(error)}`, { cause: error });
  }
};
