import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { EgressFailed } from '../../ports/egress.port.js';

/** Time limits of one POST request. */
export type TimeLimits = {
  /** For connecting to one address. */
  readonly connectMilliseconds: number;
  /** For the whole request, from the name lookup to the end of the response. */
  readonly totalMilliseconds: number;
};

/**
 * Runs `work`, and rejects with EgressFailed when it takes longer than the limit. Passes a signal to `work`. The signal
 * aborts at the limit, and also when `work` has ended, so that open connections are closed.
 */
export const withTimeout = async <T>(milliseconds: number, clock: Clock, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  const tooLate = new EgressFailed('timed_out', `no complete response within ${milliseconds / 1000} s`);
  const cancel = clock.after(milliseconds, () => ending.abort());
  const late = new Promise<never>((_, reject) => ending.signal.addEventListener('abort', () => reject(tooLate)));
  try {
    return await Promise.race([work(ending.signal), late]);
  } finally {
    cancel();
    ending.abort();
  }
};
