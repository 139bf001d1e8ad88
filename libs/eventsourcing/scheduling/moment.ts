import type { Clock } from '../ports/clock.port.js';

/** A moment on both scales of a clock, in milliseconds. */
export type Moment = { readonly time: number; readonly elapsed: number };

export const momentOf = (clock: Clock): Moment => ({ time: clock.now().getTime(), elapsed: clock.elapsed() });

/**
 * Returns the milliseconds since a moment, for what must not last too long. While a machine sleeps, only its time of day goes on. When its
 * time of day is set back, only the elapsed time goes on. So the greater of the two counts.
 */
export const ageOf = ({ time, elapsed }: Moment, clock: Clock): number => Math.max(clock.now().getTime() - time, clock.elapsed() - elapsed);
