/** Request counts that all processes share, by bucket and time window. A bucket is a caller, or a group of callers. */
export interface RateLimitCounters {
  /**
   * Stores the counts of this process for a window, by bucket, and returns the sums of the counts of the other processes.
   * Each count is the total of the window so far, so a repeated call counts no request twice. Rejects with StoreUnavailable.
   */
  exchange(windowEnd: Date, counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}
