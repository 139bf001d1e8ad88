import type { Clock } from '../../eventsourcing/ports/clock.port.js';

/** Resolves when it is time to begin again. */
export type Pace = () => Promise<void>;

/**
 * Lets work begin once in so many milliseconds at the most. What comes after a quiet time is done at once; under load what
 * comes meanwhile is done together, so that each step costs the servers the same however much happens.
 */
export const paced = (clock: Clock, milliseconds: number): Pace => {
  let next = 0;
  return async () => {
    const now = clock.now().getTime();
    // A clock that was set back must not make anyone wait longer.
    const wait = Math.min(next - now, milliseconds);
    if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve));
    next = now + Math.max(0, wait) + milliseconds;
  };
};
