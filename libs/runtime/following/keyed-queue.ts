/**
 * Runs the calls with the same key one after the other. If a call fails, the calls that wait behind it fail too, without
 * running. So while a store is unavailable, all waiting calls end after one timeout, not after one timeout each.
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
