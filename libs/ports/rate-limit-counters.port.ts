/** Counts of requests that all processes share, by bucket, each for one window of time. */
export interface RateLimitCounters {
  /**
   * Stores how many requests this process has counted in each of these buckets in the window that ends then, and returns how many the
   * other processes have counted there. A count replaces a smaller one, so a repeated exchange counts nothing twice. Rejects with
   * StoreUnavailable.
   */
  exchange(windowEnd: Date, counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}
