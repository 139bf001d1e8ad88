import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { repeat } from '../../runtime/following/repeat.js';
import type { MessageCounter } from './message-counter.js';
import { dayOf } from './tally.js';

/** Milliseconds between two checks whether another day can be counted. */
const INTERVAL = 60_000;
/**
 * Milliseconds from the end of a day (UTC) until its messages are counted. A process whose clock is slow may append events of a
 * day after the end of that day.
 */
const CLOSING_DELAY = 600_000;

export type CountsPorts = {
  readonly messageCounter: Pick<MessageCounter, 'countUntil'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
};

/**
 * Counts the messages of each day (UTC) after its end. After an outage, also counts the earlier days that no process has
 * counted (contract 35.7). Returns a function that stops the counting.
 */
export const startCounts = ({ messageCounter, clock, onError }: CountsPorts): (() => Promise<void>) => {
  const stopping = new AbortController();
  let countedUntil = '';
  const work = async (): Promise<number> => {
    // The first day that is too recent to be counted.
    const openDay = dayOf(new Date(clock.now().getTime() - CLOSING_DELAY));
    if (openDay > countedUntil) await messageCounter.countUntil(openDay, stopping.signal);
    countedUntil = openDay;
    return INTERVAL;
  };
  const stop = repeat({ clock, firstDelay: INTERVAL, work, failureDelay: INTERVAL, onError });
  return () => {
    stopping.abort();
    return stop();
  };
};
