/**
 * Runs the work of one key in order, and the work of different keys concurrently. Work of at most
 * `concurrency` keys runs at a time.
 */
export class KeyedWorkerPool<Item> {
  private readonly queues = new Map<string, Item[]>();
  private readonly ready: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private busy = 0;
  private stopped = false;

  /** `work` never rejects. It resolves when its item is done, or abandoned because of `stop`. */
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

  /** Waits for `pause`. Meanwhile, work of another key may run in this one's place. */
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
