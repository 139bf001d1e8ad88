/** The exclusive right of one process to do some work. */
export type Lease = {
  readonly name: string;
  readonly owner: string;
  /** A fencing token: it grows whenever the lease changes its owner, and writes under an older value are rejected. */
  readonly fence: number;
};

/** A write was rejected, because another process has acquired the lease of the writer. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Grants leases to one owner at a time. A lease expires unless its owner extends it. */
export interface Leases {
  /**
   * Acquires the lease for `milliseconds` if it has no owner or has expired. If `owner` already owns the lease, extends
   * the lease and keeps its fence. Returns null if another process owns it.
   */
  acquire(name: string, owner: string, milliseconds: number): Promise<Lease | null>;
  /**
   * Extends the lease so that it ends `milliseconds` from now. Returns false if the lease was lost. Once the lease is lost,
   * every later call returns false too.
   */
  extend(lease: Lease, milliseconds: number): Promise<boolean>;
  /** Releases the lease before it expires. Does nothing if it was already lost. */
  release(lease: Lease): Promise<void>;
}
