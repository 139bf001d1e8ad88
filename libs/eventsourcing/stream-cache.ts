/**
 * A cache of folded streams. When it is full, it evicts the least recently used one. After a conflict the
 * caller drops the stale entry.
 */
export class StreamCache<Entry> {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly capacity: number,
    private readonly revisionOf: (entry: Entry) => number,
  ) {}

  /** Returns the cached entry of a stream, which counts as a use. */
  get(stream: string): Entry | undefined {
    const entry = this.entries.get(stream);
    if (entry) {
      this.entries.delete(stream);
      this.entries.set(stream, entry);
    }
    return entry;
  }

  /**
   * Keeps the entry with the higher revision: of two concurrent commands, the last to finish may have read
   * the older state.
   */
  put(stream: string, entry: Entry): void {
    const cached = this.entries.get(stream);
    if (cached && this.revisionOf(cached) > this.revisionOf(entry)) return;
    this.entries.delete(stream);
    this.entries.set(stream, entry);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value as string);
  }

  /** Drops an entry that a conflict proved stale, unless another command has replaced it since. */
  drop(stream: string, stale: Entry): void {
    if (this.entries.get(stream) === stale) this.entries.delete(stream);
  }
}
