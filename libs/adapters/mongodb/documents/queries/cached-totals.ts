/** Maximum number of cached totals. The cache is cleared instead of exceeding it. */
const MAX_TOTALS = 2_000;

/** A cache of totals. Concurrent requests for the same total share one command. */
export class CachedTotals {
  private readonly totals = new Map<string, Promise<unknown>>();
  private revision = -1;

  /** Returns the total that is cached for this revision of the read models, or computes it. */
  of<T>(revision: number, name: string, work: () => Promise<T>): Promise<T> {
    if (this.revision !== revision || this.totals.size >= MAX_TOTALS) this.clear();
    this.revision = revision;
    const known = this.totals.get(name) as Promise<T> | undefined;
    if (known) return known;
    const total = work();
    this.totals.set(name, total);
    total.catch(() => {
      if (this.totals.get(name) === total) this.totals.delete(name);
    });
    return total;
  }

  /** Clears the cache after a write of this process. */
  clear(): void {
    this.totals.clear();
  }
}
