import type { Clock } from '../../../eventsourcing/ports/clock.port.js';

/** Waits for `milliseconds`, or until `signal` aborts. */
export const pause = (clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      stop();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const stop = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
