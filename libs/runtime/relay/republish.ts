import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Leases } from '../../eventsourcing/ports/leases.port.js';
import { PUBLISHED_ENDS } from './published-ends.js';
import { RELAY } from './relay.js';

/** How long the relay's lease is held while its position is forgotten, and waited for, in milliseconds. */
const LEASE = 10_000;
const ASK_AGAIN = 100;

export type RepublishPorts = {
  readonly documents: Pick<Documents, 'prepare' | 'clear'>;
  /** Forgets how far a reader of the log has come. */
  readonly forgetCheckpoint: (name: string) => Promise<void>;
  readonly leases: Leases;
  readonly holder: string;
  readonly clock: Clock;
};

/** Has the relay begin again with the first event; answers false, and changes nothing, while a relay is at work. */
export const republish = async (ports: RepublishPorts): Promise<boolean> => {
  const { documents, leases, holder, clock } = ports;
  // A relay that refuses to publish takes its lease for a moment, again and again.
  const until = clock.now().getTime() + LEASE;
  let lease = await leases.acquire(RELAY, holder, LEASE);
  while (!lease && clock.now().getTime() < until) {
    await new Promise<void>((resolve) => clock.after(ASK_AGAIN, resolve));
    lease = await leases.acquire(RELAY, holder, LEASE);
  }
  if (!lease) return false;
  // The ends go last: without them nothing is compared, and a position that is left would pass for a right one.
  await ports.forgetCheckpoint(RELAY);
  await documents.prepare(PUBLISHED_ENDS);
  await documents.clear(PUBLISHED_ENDS);
  await leases.release(lease);
  return true;
};
