import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** An orchestrator probes every few seconds, and treats a process that has not answered by then as dead. */
const TIMEOUT = 1_000;

/** What a watcher asks of a server, given up when it takes long: a server that does not answer at once is shown as one that is down. */
export const withTimeout = <T>(asked: Promise<T>, clock: Clock): Promise<T> =>
  new Promise((resolve, reject) => {
    const forget = clock.after(TIMEOUT, () => reject(new Error(`no answer within ${TIMEOUT} ms`)));
    asked.then(resolve, reject).finally(forget);
  });
