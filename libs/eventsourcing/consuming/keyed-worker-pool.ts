/**
 * Runs the work of one key in order, and the work of different keys concurrently. At most `concurrency` keys have running
 * work at the same time, except after `releaseWhile`.
 */
export class KeyedWorkerPool<Item> {
  private readonly queues = new Map<string, Item[]>();
  private readonly ready: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private busy = 0;
  private stopped = false;

  /** `work` must not reject. Its promise resolves when the item was handled or dropped. `stop` waits for the running work. */
  constructor(
    private readonly concurrency: number,
    private readonly work: (item: Item) => Promise<void>,
  ) {}

  add(key: string, item: Item): void {
    const queue = this.queues.get(key);
    if (queue) {
      queue.push(item);
      return;
    }
    this.queues.set(key, [item]);
    this.ready.push(key);
    this.start();
  }

  /**
   * Waits for `pause`. Only running work may call this method. During the pause, that work does not count as running, so work
   * of another key may start. After the pause, it continues at once, even if `concurrency` other keys have running work.
   */
  async releaseWhile(pause: Promise<void>): Promise<void> {
    this.busy--;
    this.start();
    await pause;
    this.busy++;
  }

  /** Starts no more work. Resolves when no work is running. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  private start(): void {
    while (!this.stopped && this.busy < this.concurrency) {
      const key = this.ready.shift();
      if (key === undefined) return;
      this.busy++;
      const run = this.run(key).then(() => {
        this.running.delete(run);
        this.busy--;
        this.start();
      });
      this.running.add(run);
    }
  }

  private async run(key: string): Promise<void> {
    const queue = this.queues.get(key) ?? [];
    for (let item = queue[0]; item !== undefined && !this.stopped; item = queue[0]) {
      await this.work(item);
      queue.shift();
    }
    this.queues.delete(key);
  }
}
