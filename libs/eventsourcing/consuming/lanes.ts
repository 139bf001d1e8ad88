/** Work in order per key, and side by side across keys; nothing is started while `width` keys are at work. */
export class Lanes<Item> {
  private readonly queues = new Map<string, Item[]>();
  private readonly ready: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private busy = 0;
  private stopped = false;

  /** `work` never rejects; it ends when its item is dealt with, or given up because of `stop`. */
  constructor(
    private readonly width: number,
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

  /** Waits for something that is no work, and lets another key work meanwhile. */
  async aside(pause: Promise<void>): Promise<void> {
    this.busy--;
    this.start();
    await pause;
    this.busy++;
  }

  /** Starts nothing more; resolves when nothing is in hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  private start(): void {
    while (!this.stopped && this.busy < this.width) {
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
