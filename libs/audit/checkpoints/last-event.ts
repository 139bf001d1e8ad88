import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';

/**
 * Returns the last event of a stream, or null if the stream is empty. The port cannot read backwards, so the function searches
 * for the end. That takes about 30 reads for 50,000 events.
 */
export const findLastEvent = async (store: Pick<EventStore, 'readStream'>, stream: string): Promise<StoredEvent | null> => {
  const at = async (revision: number): Promise<StoredEvent | null> => (await store.readStream(stream, revision, 1))[0] ?? null;
  let last = await at(0);
  if (!last) return null;
  // The first loop doubles `missing` until no event has this revision. The second is a binary search for the last event.
  let missing = 1;
  for (let next = await at(missing); next; next = await at(missing)) {
    last = next;
    missing *= 2;
  }
  while (missing - last.revision > 1) {
    const middle = Math.floor((last.revision + missing) / 2);
    const found = await at(middle);
    if (found) last = found;
    else missing = middle;
  }
  return last;
};
