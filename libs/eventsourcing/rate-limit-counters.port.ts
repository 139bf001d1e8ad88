/** Counts of requests that all processes share, each for one window of time. */
export interface RateLimitCounters {
  /** Adds one to the bucket's count in the window that ends then, and answers the count. Rejects with StoreUnavailable. */
  add(bucket: string, windowEnd: Date): Promise<number>;
}
