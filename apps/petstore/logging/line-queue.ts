import type { Output } from './output.js';

/** Characters that may wait. Lines beyond this limit are dropped. */
const DEFAULT_LIMIT = 1_048_576;
/** Characters in one write. */
const CHUNK = 65_536;
/** Milliseconds until the next attempt, when the reader is slow and when the output is full or closed. */
const AFTER_BUSY = 50;
const AFTER_FAILURE = 1_000;

export type LineQueueOptions = {
  readonly output: Output;
  /** Calls `work` once, after this many milliseconds. */
  readonly after: (milliseconds: number, work: () => void) => void;
  /** Called with the number of dropped lines when there is room again. */
  readonly onRoom: (dropped: number) => void;
  readonly limit?: number;
};

/**
 * Queues log lines for an output that may be slow, full or closed. Writes one chunk at a time, and retries
 * after a failure.
 */
export class LineQueue {
  private lines: string[] = [];
  /** The waiting characters, and the part of them in the chunk. */
  private waiting = 0;
  private inChunk = 0;
  /** The bytes that the output has not written yet. */
  private chunk: Uint8Array = new Uint8Array();
  private dropped = 0;
  private isWriting = false;
  /** Whether a write is running or scheduled. */
  private isBusy = false;

  constructor(private readonly options: LineQueueOptions) {}

  /** Never blocks and never throws. A line beyond the limit is dropped and counted. */
  write(line: string): void {
    if (this.waiting + line.length > this.limit) {
      this.dropped++;
      return;
    }
    this.lines.push(line);
    this.waiting += line.length;
    // Lines of one turn of the event loop are written together.
    if (!this.isBusy) setImmediate(() => this.next());
    this.isBusy = true;
  }

  /** Whether all lines are written. */
  isEmpty(): boolean {
    return this.waiting === 0;
  }

  /** For the end of the process: writes what the output accepts at once. */
  writeNow(): void {
    // Node waits for its threads, so a running write completes.
    const rest = Buffer.concat([this.isWriting ? new Uint8Array() : this.chunk, Buffer.from(this.lines.join(''))]);
    for (let done = 0, written = 1; written > 0 && done < rest.length; done += written)
      written = this.options.output.writeNow(rest.subarray(done));
  }

  private get limit(): number {
    return this.options.limit ?? DEFAULT_LIMIT;
  }

  private next(): void {
    if (this.chunk.length === 0) this.takeChunk();
    this.isBusy = this.isWriting = this.chunk.length > 0;
    if (this.isBusy) this.options.output.write(this.chunk, (error, written) => this.afterWrite(error, written));
  }

  private afterWrite(error: NodeJS.ErrnoException | null, written: number): void {
    this.isWriting = false;
    this.chunk = this.chunk.subarray(written);
    if (this.chunk.length === 0) this.finishChunk();
    if (!error && written > 0) this.next();
    else this.options.after(!error || error.code === 'EAGAIN' ? AFTER_BUSY : AFTER_FAILURE, () => this.next());
  }

  private takeChunk(): void {
    let count = 0;
    while (count < this.lines.length && this.inChunk < CHUNK) this.inChunk += this.lines[count++]?.length ?? 0;
    this.chunk = Buffer.from(this.lines.slice(0, count).join(''));
    this.lines = this.lines.slice(count);
  }

  private finishChunk(): void {
    this.waiting -= this.inChunk;
    this.inChunk = 0;
    if (this.dropped === 0 || this.waiting > this.limit / 2) return;
    const count = this.dropped;
    this.dropped = 0;
    this.options.onRoom(count);
  }
}
