/** Folded streams, the least recently used forgotten first. Only ever a shortcut: a conflict drops the entry, or has what came after it read. */
export class StreamCache<Entry> {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly capacity: number,
    private readonly revisionOf: (entry: Entry) => number,
  ) {}

  /** Returns what is cached of a stream, which counts as a use. */
  get(stream: string): Entry | undefined {
    const entry = this.entries.get(stream);
    if (entry) {
      this.entries.delete(stream);
      this.entries.set(stream, entry);
    }
    return entry;
  }

  /** Keeps the newer of two: of concurrent commands the later to return may have read the earlier state. */
  put(stream: string, entry: Entry): void {
    const known = this.entries.get(stream);
    if (known && this.revisionOf(known) > this.revisionOf(entry)) return;
    this.entries.delete(stream);
    this.entries.set(stream, entry);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value as string);
  }

  /** Forgets what a conflict proved stale; what another command has put there since stays. */
  drop(stream: string, stale: Entry): void {
    if (this.entries.get(stream) === stale) this.entries.delete(stream);
  }
}
