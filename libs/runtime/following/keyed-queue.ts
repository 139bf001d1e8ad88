/**
 * Runs work of one key one after the other. Whatever waits behind work that fails, fails with it: where a store cannot be
 * used, nobody waits for one time limit after the other.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = (this.last.get(key) ?? Promise.resolve()).then(work);
    this.last.set(key, running);
    const forget = (): void => {
      if (this.last.get(key) === running) this.last.delete(key);
    };
    running.then(forget, forget);
    return running;
  }
}
