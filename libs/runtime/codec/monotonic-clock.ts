import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';

/** A clock whose time never decreases. */
export type MonotonicClock = Clock & {
  /** After this call, `now` never returns a time before `time`. */
  readonly advanceTo: (time: Date) => void;
};

/**
 * Returns a clock for the times of events (contract 23.2). While `clock` is behind the last time that `now` returned, for
 * example because someone has set the clock back, `now` returns that last time again.
 */
export const monotonic = (clock: Clock): MonotonicClock => {
  let latest = -Infinity;
  return {
    now: () => new Date((latest = Math.max(latest, clock.now().getTime()))),
    elapsed: () => clock.elapsed(),
    after: (milliseconds, work) => clock.after(milliseconds, work),
    advanceTo: (time) => void (latest = Math.max(latest, time.getTime())),
  };
};

/** Returns when an event was recorded, or null if its metadata cannot be read. */
export const recordedTimeOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): Date | null => {
  try {
    const time = new Date((JSON.parse(metadata) as { readonly time: string }).time);
    return Number.isNaN(time.getTime()) ? null : time;
  } catch {
    return null;
  }
};
