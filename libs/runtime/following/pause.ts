import type { Clock } from '../../eventsourcing/ports/clock.port.js';

/** Resolves after a pause, or at once when `signal` aborts. */
export const pauseFor = (milliseconds: number, clock: Clock, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
