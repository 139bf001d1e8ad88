import type { Output } from './output.js';

/** Maximum number of waiting characters. Further lines are dropped. */
const DEFAULT_LIMIT = 1_048_576;
/** Approximate number of characters in one write. */
const MAX_CHUNK_LENGTH = 65_536;
/** Milliseconds until the next attempt: when the reader is slow, and when the output is full or closed. */
const BUSY_RETRY_MILLISECONDS = 50;
const FAILURE_RETRY_MILLISECONDS = 1_000;

export type LineQueueOptions = {
  readonly output: Output;
  /** Calls `work` once, after this many milliseconds. */
  readonly after: (milliseconds: number, work: () => void) => void;
  /** Called with the number of dropped lines when there is space again. */
  readonly onSpace: (dropped: number) => void;
  readonly limit?: number;
};

/**
 * Queues log lines for an output that may be slow, full or closed. Writes one chunk at a time, and retries
 * after a failure.
 */
export class LineQueue {
  private lines: string[] = [];
  /** The number of all waiting characters, and of those in the current chunk. */
  private waiting = 0;
  private inChunk = 0;
  /** The bytes of the current chunk that the output has not written. */
  private chunk: Uint8Array = new Uint8Array();
  private dropped = 0;
  private isWriting = false;
  /** Whether a write is running or scheduled. */
  private isBusy = false;

  constructor(private readonly options: LineQueueOptions) {}

  /** Queues a line, or drops and counts it beyond the limit. Never blocks and never throws. */
  write(line: string): void {
    if (this.waiting + line.length > this.limit) {
      this.dropped++;
      return;
    }
    this.lines.push(line);
    this.waiting += line.length;
    // All lines of one turn of the event loop are written together.
    if (!this.isBusy) setImmediate(() => this.next());
    this.isBusy = true;
  }

  /** Returns whether all lines are written. */
  isEmpty(): boolean {
    return this.waiting === 0;
  }

  /** Writes as many waiting lines as the output accepts immediately. Call it at the end of the process. */
  writeNow(): void {
    // A running write completes alone, because Node waits for its threads. Its chunk is not written again.
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
    else this.options.after(!error || error.code === 'EAGAIN' ? BUSY_RETRY_MILLISECONDS : FAILURE_RETRY_MILLISECONDS, () => this.next());
  }

  private takeChunk(): void {
    let count = 0;
    while (count < this.lines.length && this.inChunk < MAX_CHUNK_LENGTH) this.inChunk += this.lines[count++]?.length ?? 0;
    this.chunk = Buffer.from(this.lines.slice(0, count).join(''));
    this.lines = this.lines.slice(count);
  }

  private finishChunk(): void {
    this.waiting -= this.inChunk;
    this.inChunk = 0;
    if (this.dropped === 0 || this.waiting > this.limit / 2) return;
    const count = this.dropped;
    this.dropped = 0;
    this.options.onSpace(count);
  }
}
