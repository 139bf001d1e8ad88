import { LRUCache } from 'lru-cache';

/** A cache of folded streams, of which it keeps the most recently used. After a conflict the caller drops the stale entry. */
export class StreamCache<Entry extends object> {
  private readonly entries: LRUCache<string, Entry>;

  constructor(
    capacity: number,
    private readonly revisionOf: (entry: Entry) => number,
  ) {
    // Not `max`, for which the package allocates memory for a full cache at once.
    this.entries = new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
  }

  /** Returns the cached entry of a stream. The call counts as a use of the stream. */
  get(stream: string): Entry | undefined {
    return this.entries.get(stream);
  }

  /**
   * Stores an entry, unless the cached entry has a higher revision. If two commands run at the same time, the command that
   * finishes last may have read the older state.
   */
  put(stream: string, entry: Entry): void {
    const cached = this.entries.peek(stream);
    if (!cached || this.revisionOf(cached) <= this.revisionOf(entry)) this.entries.set(stream, entry);
  }

  /** Drops an entry that a conflict proved stale, unless another command has replaced the entry since. */
  drop(stream: string, stale: Entry): void {
    if (this.entries.peek(stream) === stale) this.entries.delete(stream);
  }
}
