import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import { holdLease, type HeldLease } from './active-lease.js';
import { outagesTo, type Outages } from '../following/outages.js';
import { repeat } from '../following/repeat.js';

/** How long a lease lasts, in milliseconds: a holder that is gone is replaced after this time. */
export const LEASE = 5_000;
/** Between two looks whether the lease is free. */
const STANDBY = 1_000;
/** Before it is tried again after a failure, and by who was fenced although the lease is still its own. */
const AFTER_FAILURE = 500;
const AFTER_FENCING = 100;

export type Leased = {
  readonly name: string;
  readonly leases: Leases;
  /** Names this process among those who may hold it. */
  readonly holder: string;
  readonly clock: Clock;
  /** Told of the first failure of each outage; it is tried again all the same. */
  readonly onError: (error: unknown) => void;
};

/** What work under a lease knows of it. */
export type Holding = {
  readonly held: HeldLease;
  /** To be told when the work is done again, and of failures that do not end it. */
  readonly outages: Outages;
  readonly stopping: AbortSignal;
};

/**
 * Has work done by whichever process holds a lease. The work resolves when the lease is lost or it is to stop; what it
 * rejects with has it begun again. The answer ends it for good and waits for it.
 */
export const whileLeased = (leased: Leased, work: (holding: Holding) => Promise<void>): (() => Promise<void>) => {
  const { name, leases, holder, clock } = leased;
  const stopping = new AbortController();
  const outages = outagesTo(leased.onError);
  const once = async (): Promise<number> => {
    const lease = await leases.acquire(name, holder, LEASE);
    if (!lease) {
      outages.over();
      return STANDBY;
    }
    const held = holdLease(leases, lease, clock, LEASE);
    try {
      await work({ held, outages, stopping: stopping.signal });
      return STANDBY;
    } catch (error) {
      if (error instanceof LeaseLost) return AFTER_FENCING;
      throw error;
    } finally {
      await held.release();
    }
  };
  const stop = repeat({ clock, first: 0, work: once, afterFailure: AFTER_FAILURE, onError: outages.failed });
  return () => {
    stopping.abort();
    return stop();
  };
};

/** Work that something does by itself between its start, which answers how to end it, and its end. */
export const between =
  (start: () => () => Promise<void>) =>
  async ({ held, outages, stopping }: Holding): Promise<void> => {
    const end = start();
    outages.over();
    await aborted(AbortSignal.any([stopping, held.lost]));
    await end();
  };

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
