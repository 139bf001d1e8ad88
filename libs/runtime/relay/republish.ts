import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Leases } from '../../eventsourcing/ports/leases.port.js';
import { PUBLISHED_ENDS } from './published-ends.js';
import { RELAY } from './relay.js';

/** Milliseconds for which the relay's lease is acquired, and milliseconds to wait for it. */
const LEASE = 10_000;
const RETRY_MILLISECONDS = 100;

export type RepublishPorts = {
  readonly documents: Pick<Documents, 'prepare' | 'clear'>;
  /** Deletes the checkpoint of a reader of the log. */
  readonly deleteCheckpoint: (name: string) => Promise<void>;
  readonly leases: Leases;
  readonly holder: string;
  readonly clock: Clock;
};

/** Resets the relay to the first event. Returns false and changes nothing while a relay is running. */
export const republish = async (ports: RepublishPorts): Promise<boolean> => {
  const { documents, leases, holder, clock } = ports;
  // A relay that cannot publish still acquires its lease repeatedly, so one attempt may fail.
  const until = clock.now().getTime() + LEASE;
  let lease = await leases.acquire(RELAY, holder, LEASE);
  while (!lease && clock.now().getTime() < until) {
    await new Promise<void>((resolve) => clock.after(RETRY_MILLISECONDS, resolve));
    lease = await leases.acquire(RELAY, holder, LEASE);
  }
  if (!lease) return false;
  // The ends are deleted last. After a crash in between, the relay would otherwise continue at its old
  // position without comparing the topics.
  await ports.deleteCheckpoint(RELAY);
  await documents.prepare(PUBLISHED_ENDS);
  await documents.clear(PUBLISHED_ENDS);
  await leases.release(lease);
  return true;
};
