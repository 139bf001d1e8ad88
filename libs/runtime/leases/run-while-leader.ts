import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import { keepExtending, type ActiveLease } from './active-lease.js';
import { trackOutages, type Outages } from '../following/outages.js';
import { repeat } from '../following/repeat.js';

/** How long a lease lasts, in milliseconds. An owner that has crashed is replaced after this time. */
export const LEASE = 5_000;
/** Milliseconds before another attempt to acquire the lease, if another process owns it or if the work has ended. */
const STANDBY = 1_000;
/** Milliseconds before another attempt after a failure of the work, or of the acquisition of the lease. */
const AFTER_FAILURE = 500;
/** Milliseconds before another attempt after a write of the work was rejected with LeaseLost. */
const AFTER_FENCING = 100;

export type LeaseOptions = {
  readonly name: string;
  readonly leases: Leases;
  /** The name under which this process acquires the lease. */
  readonly owner: string;
  readonly clock: Clock;
  /** Called for the first failure of each outage. The work is retried. */
  readonly onError: (error: unknown) => void;
};

/** What the work gets while this process owns the lease. */
export type LeaseContext = {
  readonly activeLease: ActiveLease;
  /** Here the work reports a failure that does not end the work, and the recovery from that failure. */
  readonly outages: Outages;
  /** Aborts when this process stops. */
  readonly stopping: AbortSignal;
};

/**
 * Acquires a lease and runs work while this process owns the lease, so that only one process runs the work. The work must resolve
 * when the lease is lost or `stopping` aborts. When the work ends or rejects, the lease is released, and after a delay acquired
 * again. Returns a function that stops the work and waits until the work has ended.
 */
export const runWhileLeader = (options: LeaseOptions, work: (context: LeaseContext) => Promise<void>): (() => Promise<void>) => {
  const { name, leases, owner, clock } = options;
  const stopping = new AbortController();
  const outages = trackOutages(options.onError);
  const runOnce = async (): Promise<number> => {
    const lease = await leases.acquire(name, owner, LEASE);
    if (!lease) {
      // Another process does the work, so the outage has ended.
      outages.reportRecovery();
      return STANDBY;
    }
    const activeLease = keepExtending(leases, lease, clock, LEASE);
    try {
      await work({ activeLease, outages, stopping: stopping.signal });
      return STANDBY;
    } catch (error) {
      if (error instanceof LeaseLost) return AFTER_FENCING;
      throw error;
    } finally {
      await activeLease.release();
    }
  };
  const stop = repeat({ clock, firstDelay: 0, work: runOnce, failureDelay: AFTER_FAILURE, onError: outages.reportFailure });
  return () => {
    stopping.abort();
    return stop();
  };
};

/**
 * Creates work for `runWhileLeader`. The work calls `start`, which starts something and returns a function that ends it. That
 * function is called when the lease is lost or `stopping` aborts.
 */
export const startAndStop =
  (start: () => () => Promise<void>) =>
  async ({ activeLease, outages, stopping }: LeaseContext): Promise<void> => {
    const end = start();
    outages.reportRecovery();
    await waitForAbort(AbortSignal.any([stopping, activeLease.lost]));
    await end();
  };

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
