import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** Aborts after so many milliseconds. */
export const abortAfter = (clock: Clock, milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  clock.after(milliseconds, () => controller.abort());
  return controller.signal;
};
