/** Request counts that all processes share, per bucket and time window. */
export interface RateLimitCounters {
  /**
   * Stores this process's counts of a window and returns the counts of the other processes. A count replaces
   * a smaller one, so a repeated exchange counts no request twice. Rejects with StoreUnavailable.
   */
  exchange(windowEnd: Date, counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}
