import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/**
 * The time limit in milliseconds. It is shorter than the few seconds that the probe of an orchestrator waits
 * for a response.
 */
const TIMEOUT = 1_000;

/**
 * Rejects if a promise takes longer than the time limit, so that health checks report a slow server as down.
 */
export const withTimeout = <T>(promise: Promise<T>, clock: Clock, milliseconds = TIMEOUT): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(new Error(`no response within ${milliseconds} ms`)));
    promise.then(resolve, reject).finally(cancel);
  });
