import { LRUCache } from 'lru-cache';

/** Maximum number of cached totals. The least recently used is evicted. */
const MAX_TOTALS = 2_000;

/** A cache of totals, which are counts and sums of read models. Concurrent requests for the same total share one command. */
export class CachedTotals {
  private readonly totals = new LRUCache<string, Promise<unknown>>({ max: MAX_TOTALS });
  private revision = -1;

  /** Returns the total `name` for this revision of the read models. If it is not cached, runs `work` and caches the result. */
  of<T>(revision: number, name: string, work: () => Promise<T>): Promise<T> {
    if (this.revision !== revision) this.clear();
    this.revision = revision;
    const cached = this.totals.get(name) as Promise<T> | undefined;
    if (cached) return cached;
    const total = work();
    this.totals.set(name, total);
    total.catch(() => {
      if (this.totals.peek(name) === total) this.totals.delete(name);
    });
    return total;
  }

  /** Clears the cache. Call this after each write, because the revision increases only when checkpoints are read again. */
  clear(): void {
    this.totals.clear();
  }
}
