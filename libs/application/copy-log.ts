import type { EventStore, StoredEvent } from '../eventsourcing/event-store.port.js';

const PAGE = 1_000;

/** The other log has something else where an event was to go: it is no copy of this one. */
export class OtherHistory extends Error {
  override readonly name = 'OtherHistory';
}

/**
 * Carries a log over into another store, event by event in its order, with the same ids and the same bytes, so that hashes
 * stay what they are. Begun again it goes on: "the same event ids appended again at the same place answer as the first
 * time". Rejects with OtherHistory when the other log has events of its own.
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

/** Events of one stream that follow each other go over together. */
const runsOf = (events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] => {
  const runs: StoredEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.[0]?.stream === event.stream) run.push(event);
    else runs.push([event]);
  }
  return runs;
};

const append = async (run: readonly StoredEvent[], to: EventStore): Promise<void> => {
  const [first] = run;
  if (!first) return;
  const expected = first.revision === 0 ? 'none' : first.revision - 1;
  const result = await to.append(
    first.stream,
    expected,
    run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  );
  if (result.kind === 'conflict')
    throw new OtherHistory(`${first.stream} has another history there: copy into servers that hold nothing else`);
};
