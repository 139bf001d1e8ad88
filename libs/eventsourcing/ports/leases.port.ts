/** The right to do something that one process does at a time. */
export type Lease = {
  readonly name: string;
  readonly holder: string;
  /** Grows whenever the lease changes hands: what is written under an older one is refused (a fencing token). */
  readonly fence: number;
};

/** A write was made under a lease that another has taken meanwhile. Nothing of it was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Who does what: one holder at a time, for as long as it says that it is there. */
export interface Leases {
  /**
   * Takes the lease for some milliseconds when nobody holds it, its time is up, or `holder` holds it already (its fence
   * stays then). Null when somebody else holds it.
   */
  acquire(name: string, holder: string, milliseconds: number): Promise<Lease | null>;
  /** Holds on to it for so many milliseconds from now; false when it was lost, and stays lost. */
  extend(lease: Lease, milliseconds: number): Promise<boolean>;
  /** Lets go of it, so that another need not wait until its time is up. What was lost already stays as it is. */
  release(lease: Lease): Promise<void>;
}
