import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** Returns a signal that aborts after this many milliseconds. */
export const abortAfter = (clock: Clock, milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  clock.after(milliseconds, () => controller.abort());
  return controller.signal;
};
