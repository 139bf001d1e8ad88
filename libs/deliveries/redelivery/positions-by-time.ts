import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';

/** What it takes to look for a time in the log. */
type TimedLog = { readonly store: Pick<EventStore, 'readAll'>; readonly codec: Pick<ReadCodec, 'decode'> };

/**
 * A position after which everything stands that was recorded at that time or later: found by halving, since the log grows
 * with time. Events of several machines stand in it in an order that their clocks need not agree on; what the caller
 * allows for that, it takes off the time it asks for.
 */
export const positionBefore = async ({ store, codec }: TimedLog, time: string): Promise<number> => {
  const isEarlier = async (position: number): Promise<boolean> => {
    for (let at = position; ; at++) {
      const [next] = await store.readAll(at, 1);
      if (!next) return false;
      const recordedAt = timeOf(codec, next);
      // The next one that can be read stands for one that cannot.
      if (recordedAt !== null) return recordedAt < time;
      at = Math.max(at, next.position - 1);
    }
  };
  if (!(await isEarlier(0))) return 0;
  let high = 1;
  while (await isEarlier(high)) high *= 2;
  // What follows `low` is earlier, what follows `high` is not.
  for (let low = Math.floor(high / 2); high - low > 1;) {
    const middle = Math.floor((low + high) / 2);
    if (await isEarlier(middle)) low = middle;
    else high = middle;
  }
  return high;
};

const timeOf = (codec: Pick<ReadCodec, 'decode'>, event: StoredEvent): string | null => {
  try {
    return codec.decode(event).meta.time;
  } catch {
    return null;
  }
};
