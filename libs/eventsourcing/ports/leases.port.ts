/** The exclusive right of one process to do some work. */
export type Lease = {
  readonly name: string;
  readonly holder: string;
  /**
   * A fencing token: it grows whenever the lease changes its owner, and writes under an older value are
   * rejected.
   */
  readonly fence: number;
};

/** A write was made under a lease that another process has acquired since. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Grants leases to one owner at a time. A lease expires unless its owner extends it. */
export interface Leases {
  /**
   * Acquires the lease for some milliseconds if it has no owner, has expired, or is already owned by
   * `holder`, in which case its fence does not change. Returns null if another process owns it.
   */
  acquire(name: string, holder: string, milliseconds: number): Promise<Lease | null>;
  /**
   * Extends the lease to so many milliseconds from now. Returns false if it was lost, and then for every
   * later call.
   */
  extend(lease: Lease, milliseconds: number): Promise<boolean>;
  /** Releases the lease before it expires. Does nothing if it was already lost. */
  release(lease: Lease): Promise<void>;
}
