import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Leases } from '../../eventsourcing/ports/leases.port.js';
import { PUBLISHED_ENDS } from './published-ends.js';
import { RELAY } from './relay.js';

/** Milliseconds for which the relay's lease is acquired. Also the time limit for attempts to acquire it. */
const LEASE_MILLISECONDS = 10_000;
/** Milliseconds between two attempts to acquire the lease. */
const RETRY_MILLISECONDS = 100;

export type RepublishPorts = {
  readonly documents: Pick<Documents, 'prepare' | 'clear'>;
  /** Deletes the checkpoint of a reader of the log. */
  readonly deleteCheckpoint: (name: string) => Promise<void>;
  readonly leases: Leases;
  readonly owner: string;
  readonly clock: Clock;
};

/** Resets the relay, so that it publishes from the first event again. While a relay runs, changes nothing and returns false. */
export const republish = async (ports: RepublishPorts): Promise<boolean> => {
  const { documents, leases, owner, clock } = ports;
  // A relay that cannot publish acquires this lease again and again, so a single attempt to acquire it may fail.
  const until = clock.elapsed() + LEASE_MILLISECONDS;
  let lease = await leases.acquire(RELAY, owner, LEASE_MILLISECONDS);
  while (!lease && clock.elapsed() < until) {
    await new Promise<void>((resolve) => clock.after(RETRY_MILLISECONDS, resolve));
    lease = await leases.acquire(RELAY, owner, LEASE_MILLISECONDS);
  }
  if (!lease) return false;
  // The checkpoint is deleted before the ends. In the other order, a crash between the two deletions would leave a checkpoint
  // without ends. The relay would continue at that checkpoint, without checking whether the topics have lost messages.
  await ports.deleteCheckpoint(RELAY);
  await documents.prepare(PUBLISHED_ENDS);
  await documents.clear(PUBLISHED_ENDS);
  await leases.release(lease);
  return true;
};
