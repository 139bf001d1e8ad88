/** Request counts that all processes share, per bucket and time window. */
export interface RateLimitCounters {
  /**
   * Stores this process's total counts for a window, and returns the counts of the other processes. Because
   * counts are totals, a repeated call counts no request twice. Rejects with StoreUnavailable.
   */
  exchange(windowEnd: Date, counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}
