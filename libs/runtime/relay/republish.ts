import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Leases } from '../../eventsourcing/ports/leases.port.js';
import { PUBLISHED_ENDS } from './published-ends.js';
import { RELAY } from './relay.js';

/** How long the relay's lease is taken for the reset, and how long to wait for it, in milliseconds. */
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
  // A relay that has stopped publishing acquires its lease for a moment, again and again.
  const until = clock.now().getTime() + LEASE;
  let lease = await leases.acquire(RELAY, holder, LEASE);
  while (!lease && clock.now().getTime() < until) {
    await new Promise<void>((resolve) => clock.after(RETRY_MILLISECONDS, resolve));
    lease = await leases.acquire(RELAY, holder, LEASE);
  }
  if (!lease) return false;
  // The ends are deleted last: without them nothing is compared, and a remaining position would be used.
  await ports.deleteCheckpoint(RELAY);
  await documents.prepare(PUBLISHED_ENDS);
  await documents.clear(PUBLISHED_ENDS);
  await leases.release(lease);
  return true;
};
