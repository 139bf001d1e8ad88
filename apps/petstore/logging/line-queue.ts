import type { Output } from './output.js';

/** The default of the option `limit`, in characters. */
const DEFAULT_LIMIT = 1_048_576;
/** Approximate number of characters in one write. */
const MAX_CHUNK_LENGTH = 65_536;
/** Milliseconds until the next write if the reader of the output is slow. */
const BUSY_RETRY_MILLISECONDS = 50;
/** Milliseconds until the next write if the output is full or closed. */
const FAILURE_RETRY_MILLISECONDS = 1_000;

export type LineQueueOptions = {
  readonly output: Output;
  /** Calls `work` once, after this many milliseconds. */
  readonly after: (milliseconds: number, work: () => void) => void;
  /** Called with the number of dropped lines when there is space again. */
  readonly onSpace: (dropped: number) => void;
  /** The maximum number of waiting characters. Further lines are dropped. */
  readonly limit?: number;
};

/**
 * Queues log lines for an output that may be slow, full or closed. Writes one chunk at a time, and retries
 * after a failure.
 */
export class LineQueue {
  private lines: string[] = [];
  /** The number of characters that are not written yet, including those in the current chunk. */
  private waiting = 0;
  /** The number of characters in the current chunk. */
  private inChunk = 0;
  /** The bytes of the current chunk that the output has not written. */
  private chunk: Uint8Array = new Uint8Array();
  /** The number of dropped lines that were not reported to `onSpace` yet. */
  private dropped = 0;
  private droppedInAll = 0;
  private isWriting = false;
  /** Whether a write is running or scheduled. */
  private isBusy = false;

  constructor(private readonly options: LineQueueOptions) {}

  /** Queues a line. If the limit is exceeded, drops the line and counts it instead. Never blocks and never throws. */
  write(line: string): void {
    if (this.waiting + line.length > this.limit) {
      this.dropped++;
      this.droppedInAll++;
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

  /** Returns the number of lines that were ever dropped. */
  droppedLines(): number {
    return this.droppedInAll;
  }

  /** Writes as many waiting lines as the output accepts immediately. Call it at the end of the process. */
  writeNow(): void {
    // Node completes a running write before the process ends, so the chunk of that write is not written again.
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
    // The report waits until half of the limit is free. Otherwise, a slow output would cause a report after every chunk.
    if (this.dropped === 0 || this.waiting > this.limit / 2) return;
    const count = this.dropped;
    this.dropped = 0;
    this.options.onSpace(count);
  }
}
