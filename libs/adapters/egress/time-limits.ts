import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { EgressFailed } from '../../ports/egress.port.js';

/** How long things may take. */
export type TimeLimits = {
  /** Until one address has been connected to. */
  readonly connectMilliseconds: number;
  /** The whole of a post, from looking up the name to the end of the answer. */
  readonly wholeMilliseconds: number;
};

/**
 * Does the work unless it takes too long. The signal is given when the time is up, and also once the work is over: what
 * is still open then is closed by it.
 */
export const within = async <T>(milliseconds: number, clock: Clock, work: (over: AbortSignal) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  const tooLate = new EgressFailed('timed_out', `no whole answer came within ${milliseconds / 1000} s`);
  const cancel = clock.after(milliseconds, () => ending.abort());
  const late = new Promise<never>((_, reject) => ending.signal.addEventListener('abort', () => reject(tooLate)));
  try {
    return await Promise.race([work(ending.signal), late]);
  } finally {
    cancel();
    ending.abort();
  }
};
