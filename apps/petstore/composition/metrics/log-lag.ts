import type { ReadCodec } from '../../../../libs/eventsourcing/event-codec.js';
import type { EventStore, StoredEvent } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Lag } from '../../../../libs/ports/metrics.port.js';

/** The maximum number of events that are counted. A scrape of the metrics reads all events that it counts. */
const MAX_COUNTED = 1_000;

type LagPorts = { readonly store: Pick<EventStore, 'readAll'>; readonly codec: Pick<ReadCodec, 'decode'> };

/**
 * Counts the events after a position, and computes the age of the first of them. `seconds` is null if that event cannot be
 * decoded. Reads the events, because positions have gaps: the difference of two positions is not a number of events.
 */
export const measureLagAfter = async ({ store, codec }: LagPorts, position: number, now: Date): Promise<Lag> => {
  const waiting = await store.readAll(position, MAX_COUNTED);
  const [first] = waiting;
  if (!first) return { events: 0, seconds: 0 };
  const recordedAt = timeOf(codec, first);
  // The age is negative if the clock of the process that recorded the event is ahead of this clock.
  const seconds = recordedAt === null ? null : Math.max(0, now.getTime() - recordedAt) / 1_000;
  return { events: waiting.length, seconds };
};

const timeOf = (codec: Pick<ReadCodec, 'decode'>, event: StoredEvent): number | null => {
  try {
    return Date.parse(codec.decode(event).meta.time);
  } catch {
    return null;
  }
};
