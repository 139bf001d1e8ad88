import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { EgressFailed } from '../../ports/egress.port.js';

/** Time limits of one POST request. */
export type TimeLimits = {
  /** To connect to one address. */
  readonly connectMilliseconds: number;
  /** For the whole request, from the name lookup to the end of the answer. */
  readonly totalMilliseconds: number;
};

/**
 * Runs the work with a time limit. The signal aborts when the limit expires and also when the work is done,
 * which closes connections that are still open.
 */
export const withTimeout = async <T>(milliseconds: number, clock: Clock, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  const tooLate = new EgressFailed('timed_out', `no complete answer within ${milliseconds / 1000} s`);
  const cancel = clock.after(milliseconds, () => ending.abort());
  const late = new Promise<never>((_, reject) => ending.signal.addEventListener('abort', () => reject(tooLate)));
  try {
    return await Promise.race([work(ending.signal), late]);
  } finally {
    cancel();
    ending.abort();
  }
};
