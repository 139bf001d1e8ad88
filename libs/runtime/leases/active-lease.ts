import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Lease, Leases } from '../../eventsourcing/ports/leases.port.js';
import { repeat } from '../following/repeat.js';

/** A lease that is held on to until it is let go of. */
export type HeldLease = {
  readonly lease: Lease;
  /** Aborts once it is lost, or could be: nobody has confirmed it for as long as it lasts. */
  readonly lost: AbortSignal;
  /** Whether it is certain that nobody else has it; false too for a process that slept past its end. */
  readonly isHeld: () => boolean;
  /** Lets go of it. Never rejects: what cannot be released ends when its time is up. */
  readonly release: () => Promise<void>;
};

/** Holds on to a lease just taken for so many milliseconds, by extending it three times as often as it needs. */
export const holdLease = (leases: Leases, lease: Lease, clock: Clock, milliseconds: number): HeldLease => {
  const lost = new AbortController();
  const every = milliseconds / 3;
  let until = 0;
  let forget = (): void => undefined;
  const confirmed = (asked: number): void => {
    until = asked + milliseconds;
    forget();
    // Also while nobody answers, and no failure tells.
    forget = clock.after(until - clock.now().getTime(), () => lost.abort());
  };
  const isHeld = (): boolean => !lost.signal.aborted && clock.now().getTime() < until;
  const extend = async (): Promise<number> => {
    // The time counts from the question: the answer may have been on its way for long.
    const asked = clock.now().getTime();
    if (await leases.extend(lease, milliseconds)) confirmed(asked);
    else lost.abort();
    return every;
  };
  confirmed(clock.now().getTime());
  const stop = repeat({ clock, first: every, work: extend, afterFailure: every / 2, onError: () => undefined });
  return {
    lease,
    lost: lost.signal,
    isHeld,
    async release() {
      await stop();
      forget();
      if (!lost.signal.aborted) await leases.release(lease).catch(() => undefined);
    },
  };
};
