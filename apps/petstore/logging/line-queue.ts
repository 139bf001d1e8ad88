import type { Output } from './output.js';

/** Characters that wait to be written; lines beyond are dropped. */
const DEFAULT_LIMIT = 1_048_576;
/** Characters handed over in one write. */
const CHUNK = 65_536;
/** Milliseconds until the next attempt where the reader is slow, and where the output is full or gone. */
const AFTER_BUSY = 50;
const AFTER_FAILURE = 1_000;

export type LineQueueOptions = {
  readonly output: Output;
  /** Calls `work` once, after that many milliseconds. */
  readonly after: (milliseconds: number, work: () => void) => void;
  /** Called with the number of dropped lines once there is room again. */
  readonly onRoom: (dropped: number) => void;
  readonly limit?: number;
};

/** Log lines on their way to an output that may be slow, full or gone: one chunk at a time, and after a failure once more. */
export class LineQueue {
  private lines: string[] = [];
  /** In characters: what waits, and what of it is in the chunk. */
  private waiting = 0;
  private inChunk = 0;
  /** What the output did not take yet of what it was handed. */
  private chunk: Uint8Array = new Uint8Array();
  private dropped = 0;
  private isWriting = false;
  /** Whether a write is under way or due. */
  private isBusy = false;

  constructor(private readonly options: LineQueueOptions) {}

  /** Never blocks and never throws: a line for which there is no room is dropped and counted. */
  write(line: string): void {
    if (this.waiting + line.length > this.most) {
      this.dropped++;
      return;
    }
    this.lines.push(line);
    this.waiting += line.length;
    // What is logged in one turn of the event loop goes out in one write.
    if (!this.isBusy) setImmediate(() => this.next());
    this.isBusy = true;
  }

  /** Whether nothing waits to be written. */
  isEmpty(): boolean {
    return this.waiting === 0;
  }

  /** For the end of the process: writes what the output takes at once. */
  writeNow(): void {
    // A write that is under way ends on its own, since Node waits for its threads.
    const rest = Buffer.concat([this.isWriting ? new Uint8Array() : this.chunk, Buffer.from(this.lines.join(''))]);
    for (let done = 0, taken = 1; taken > 0 && done < rest.length; done += taken) taken = this.options.output.writeNow(rest.subarray(done));
  }

  private get most(): number {
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
    if (this.dropped === 0 || this.waiting > this.most / 2) return;
    const count = this.dropped;
    this.dropped = 0;
    this.options.onRoom(count);
  }
}
