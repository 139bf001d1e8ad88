import type { Clock } from '../eventsourcing/clock.port.js';
import type { Leases } from '../eventsourcing/leases.port.js';
import { holdLease } from './held-lease.js';
import { outagesTo } from './outages.js';
import { repeat } from './repeating.js';

/** A holder that is gone is replaced after this time. */
const LEASE = 5_000;
/** Between two looks whether the lease is free. */
const STANDBY = 1_000;

export type Leased = {
  readonly name: string;
  readonly leases: Leases;
  readonly holder: string;
  readonly clock: Clock;
  /** Told of the first failure of each outage; it is tried again all the same. */
  readonly onError: (error: unknown) => void;
};

/**
 * Has something at work in whichever process holds a lease: `start` begins it and answers how to end it. The answer ends
 * it for good and waits for it.
 */
export const whileLeased = (leased: Leased, start: () => () => Promise<void>): (() => Promise<void>) => {
  const { name, leases, holder, clock } = leased;
  const stopping = new AbortController();
  const outages = outagesTo(leased.onError);
  const work = async (): Promise<number> => {
    const lease = await leases.acquire(name, holder, LEASE);
    if (!lease) {
      outages.over();
      return STANDBY;
    }
    const held = holdLease(leases, lease, clock, LEASE);
    try {
      const end = start();
      outages.over();
      await aborted(AbortSignal.any([stopping.signal, held.lost]));
      await end();
    } finally {
      await held.release();
    }
    return STANDBY;
  };
  const stop = repeat({ clock, first: 0, work, afterFailure: STANDBY, onError: outages.failed });
  return () => {
    stopping.abort();
    return stop();
  };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
