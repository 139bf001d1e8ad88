import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';

/** The parts of the log that a search by time needs. */
type TimedLog = { readonly store: Pick<EventStore, 'readAll'>; readonly codec: Pick<ReadCodec, 'decode'> };

/**
 * Finds a position that precedes all events recorded at or after a time, by binary search. The clocks of
 * several machines may differ, so the caller passes a time that is earlier by the tolerated difference.
 */
export const positionBefore = async ({ store, codec }: TimedLog, time: string): Promise<number> => {
  // Whether the first readable event after a position was recorded before the time.
  const isEarlier = async (position: number): Promise<boolean> => {
    for (let at = position; ; at++) {
      const [next] = await store.readAll(at, 1);
      if (!next) return false;
      const recordedAt = timeOf(codec, next);
      // If the event cannot be decoded, the event after it is used.
      if (recordedAt !== null) return recordedAt < time;
      at = Math.max(at, next.position - 1);
    }
  };
  if (!(await isEarlier(0))) return 0;
  let high = 1;
  while (await isEarlier(high)) high *= 2;
  // The first event after `low` was recorded before the time, and the first event after `high` was not.
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
