/**
 * Runs work with the same key one after the other. If work fails, the work queued behind it fails too, so
 * that callers do not wait for one timeout after the other while a store is unavailable.
 */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = (this.last.get(key) ?? Promise.resolve()).then(work);
    this.last.set(key, running);
    const remove = (): void => {
      if (this.last.get(key) === running) this.last.delete(key);
    };
    running.then(remove, remove);
    return running;
  }
}
