/**
 * A cache of folded streams. When it is full, it evicts the least recently used stream. After a conflict the caller drops
 * the stale entry.
 */
export class StreamCache<Entry> {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly capacity: number,
    private readonly revisionOf: (entry: Entry) => number,
  ) {}

  /** Returns the cached entry of a stream. The call counts as a use of the stream. */
  get(stream: string): Entry | undefined {
    const entry = this.entries.get(stream);
    if (entry) {
      // A Map keeps the order of insertion. A used entry moves to the end, so the first entry is the least recently used.
      this.entries.delete(stream);
      this.entries.set(stream, entry);
    }
    return entry;
  }

  /**
   * Stores an entry, unless the cached entry has a higher revision. If two commands run at the same time, the command that
   * finishes last may have read the older state.
   */
  put(stream: string, entry: Entry): void {
    const cached = this.entries.get(stream);
    if (cached && this.revisionOf(cached) > this.revisionOf(entry)) return;
    this.entries.delete(stream);
    this.entries.set(stream, entry);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value as string);
  }

  /** Drops an entry that a conflict proved stale, unless another command has replaced the entry since. */
  drop(stream: string, stale: Entry): void {
    if (this.entries.get(stream) === stale) this.entries.delete(stream);
  }
}
