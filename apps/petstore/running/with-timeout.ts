import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/**
 * In milliseconds. An orchestrator restarts a process that does not answer its probe within a few seconds.
 */
const TIMEOUT = 1_000;

/** Rejects when a server does not answer in time: health shows a slow server as down. */
export const withTimeout = <T>(answer: Promise<T>, clock: Clock): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(TIMEOUT, () => reject(new Error(`no answer within ${TIMEOUT} ms`)));
    answer.then(resolve, reject).finally(cancel);
  });
