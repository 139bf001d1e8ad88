import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import { keepExtending, type ActiveLease } from './active-lease.js';
import { trackOutages, type Outages } from '../following/outages.js';
import { repeat } from '../following/repeat.js';

/** How long a lease lasts, in milliseconds. An owner that has crashed is replaced after this time. */
export const LEASE = 5_000;
/** Milliseconds between two attempts to acquire a lease that another process owns. */
const STANDBY = 1_000;
/** Milliseconds before a retry: after a failure, and after the work was fenced out (LeaseLost). */
const AFTER_FAILURE = 500;
const AFTER_FENCING = 100;

export type LeaseOptions = {
  readonly name: string;
  readonly leases: Leases;
  /** The name of this process among the possible owners. */
  readonly holder: string;
  readonly clock: Clock;
  /** Called for the first failure of each outage. The work is retried. */
  readonly onError: (error: unknown) => void;
};

/** What the work gets while this process owns the lease. */
export type LeaseContext = {
  readonly activeLease: ActiveLease;
  /** Reports failures that do not end the work, and its recovery. */
  readonly outages: Outages;
  readonly stopping: AbortSignal;
};

/**
 * Runs work in whichever process owns a lease. The work must resolve when the lease is lost or `stopping`
 * aborts. If it rejects, it is started again. Returns a function that stops it and waits for it.
 */
export const runWhileLeader = (options: LeaseOptions, work: (holding: LeaseContext) => Promise<void>): (() => Promise<void>) => {
  const { name, leases, holder, clock } = options;
  const stopping = new AbortController();
  const outages = trackOutages(options.onError);
  const runOnce = async (): Promise<number> => {
    const lease = await leases.acquire(name, holder, LEASE);
    if (!lease) {
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

/** Adapts work that consists of a start and an end: `start` starts it and returns a function that ends it. */
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
