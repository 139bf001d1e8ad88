import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Lease, Leases } from '../../eventsourcing/ports/leases.port.js';
import { ageOf, momentOf, type Moment } from '../../eventsourcing/scheduling/moment.js';
import { repeat } from '../following/repeat.js';

/** A lease that is extended until it is released. */
export type ActiveLease = {
  readonly lease: Lease;
  /** Aborts once the lease is lost, or once it has expired because no extension was confirmed in time. */
  readonly lost: AbortSignal;
  /**
   * Returns whether this process still owns the lease, according to the clock of this process. Returns false, for example, after
   * the operating system suspended this process until the lease expired.
   */
  readonly isValid: () => boolean;
  /** Releases the lease. Never rejects: a lease that cannot be released expires. */
  readonly release: () => Promise<void>;
};

/**
 * Extends an acquired lease until it is released. `milliseconds` is its duration. The lease is extended after each third of this
 * duration, so one failed extension does not end it.
 */
export const keepExtending = (leases: Leases, lease: Lease, clock: Clock, milliseconds: number): ActiveLease => {
  const lost = new AbortController();
  const interval = milliseconds / 3;
  let confirmed = momentOf(clock);
  let cancelExpiry = (): void => undefined;
  const onConfirmed = (requested: Moment): void => {
    confirmed = requested;
    cancelExpiry();
    // The lease also expires if the call that extends it never returns.
    cancelExpiry = clock.after(requested.elapsed + milliseconds - clock.elapsed(), () => lost.abort());
  };
  const isValid = (): boolean => !lost.signal.aborted && ageOf(confirmed, clock) < milliseconds;
  const extend = async (): Promise<number> => {
    // The duration counts from the request, because the response may take long.
    const requested = momentOf(clock);
    if (await leases.extend(lease, milliseconds)) onConfirmed(requested);
    else lost.abort();
    return interval;
  };
  onConfirmed(confirmed);
  // A failed extension is not reported: if no extension succeeds in time, the lease expires.
  const stop = repeat({ clock, firstDelay: interval, work: extend, failureDelay: interval / 2, onError: () => undefined });
  return {
    lease,
    lost: lost.signal,
    isValid,
    async release() {
      await stop();
      cancelExpiry();
      if (!lost.signal.aborted) await leases.release(lease).catch(() => undefined);
    },
  };
};
