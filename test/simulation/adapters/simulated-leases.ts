import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { LeaseLost, type Lease, type Leases } from '../../../libs/eventsourcing/ports/leases.port.js';
import type { Link } from '../link.js';

/** A lease without an owner keeps its record, because the fence must grow with every change of the owner. */
type LeaseRecord = { readonly owner: string | null; readonly fence: number; readonly until: number };

/** Stores leases. They expire by the time of day of the server, as in MongoDB. */
export class LeaseServer {
  private readonly records = new Map<string, LeaseRecord>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  acquire(name: string, owner: string, milliseconds: number): Lease | null {
    const stored = this.records.get(name);
    const isOwned = stored !== undefined && this.isUnexpired(stored);
    if (isOwned && stored.owner !== owner) return null;
    const fence = isOwned ? stored.fence : (stored?.fence ?? 0) + 1;
    this.records.set(name, { owner, fence, until: this.now() + milliseconds });
    return { name, owner, fence };
  }

  extend({ name, owner, fence }: Lease, milliseconds: number): boolean {
    const stored = this.records.get(name);
    if (stored?.owner !== owner || stored.fence !== fence || !this.isUnexpired(stored)) return false;
    this.records.set(name, { owner, fence, until: this.now() + milliseconds });
    return true;
  }

  release(lease: Lease): void {
    if (this.isOwner(lease)) this.revoke(lease.name);
  }

  /**
   * Throws LeaseLost if the lease has another owner. The last owner of an expired lease may still write, because no other process
   * has the lease yet.
   */
  requireOwner(lease: Lease): void {
    if (!this.isOwner(lease)) throw new LeaseLost(`${lease.owner} no longer owns the lease ${lease.name}: nothing was written`);
  }

  /** Takes a lease from its owner, whose pending writes are then rejected. */
  revoke(name: string): void {
    const stored = this.records.get(name);
    if (stored) this.records.set(name, { ...stored, owner: null, until: 0 });
  }

  private isOwner({ name, owner, fence }: Lease): boolean {
    const stored = this.records.get(name);
    return stored?.owner === owner && stored.fence === fence;
  }

  private isUnexpired({ owner, until }: LeaseRecord): boolean {
    return owner !== null && until > this.now();
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** Returns the leases as one process uses them. */
export const simulatedLeases = (server: LeaseServer, link: Link): Leases => ({
  acquire: (name, owner, milliseconds) => link(`acquire ${name} for ${owner}`, () => server.acquire(name, owner, milliseconds)),
  extend: (lease, milliseconds) => link(`extend ${lease.name} of ${lease.owner}`, () => server.extend(lease, milliseconds)),
  release: (lease) => link(`release ${lease.name} of ${lease.owner}`, () => server.release(lease)),
});
