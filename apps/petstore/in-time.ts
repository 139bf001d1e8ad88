import type { Clock } from '../../libs/eventsourcing/clock.port.js';

/** Whoever watches over a process asks again every few seconds, and takes one that does not answer by then for a dead one. */
const IN_TIME = 1_000;

/** What a watcher asks of a server, given up when it takes long: a server that does not answer at once is shown as one that is down. */
export const inTime = <T>(asked: Promise<T>, clock: Clock): Promise<T> =>
  new Promise((resolve, reject) => {
    const forget = clock.after(IN_TIME, () => reject(new Error(`no answer within ${IN_TIME} ms`)));
    asked.then(resolve, reject).finally(forget);
  });
