import type { Output } from './output.js';

/** Characters that wait to be written; lines beyond are dropped. */
const MOST = 1_048_576;
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
  readonly most?: number;
};

/** Log lines on their way to an output that may be slow, full or gone. */
export type LineQueue = {
  /** Never blocks and never throws: a line for which there is no room is dropped and counted. */
  write(line: string): void;
  /** Whether nothing waits to be written. */
  isEmpty(): boolean;
  /** For the end of the process: writes what the output takes at once. */
  writeNow(): void;
};

/** Writes lines one chunk at a time; after a failure it keeps what waits and tries again. */
export const createLineQueue = ({ output, after, onRoom, most = MOST }: LineQueueOptions): LineQueue => {
  let lines: string[] = [];
  /** In characters: what waits, and what of it is in the chunk. */
  let waiting = 0;
  let inChunk = 0;
  /** What the output did not take yet of what it was handed. */
  let chunk: Uint8Array = new Uint8Array();
  let dropped = 0;
  let isWriting = false;
  /** Whether a write is under way or due. */
  let isBusy = false;

  const takeChunk = (): void => {
    let count = 0;
    while (count < lines.length && inChunk < CHUNK) inChunk += lines[count++]?.length ?? 0;
    chunk = Buffer.from(lines.slice(0, count).join(''));
    lines = lines.slice(count);
  };
  const finishChunk = (): void => {
    waiting -= inChunk;
    inChunk = 0;
    if (dropped === 0 || waiting > most / 2) return;
    const count = dropped;
    dropped = 0;
    onRoom(count);
  };
  const next = (): void => {
    if (chunk.length === 0) takeChunk();
    isBusy = isWriting = chunk.length > 0;
    if (isBusy) output.write(chunk, afterWrite);
  };
  const afterWrite = (error: NodeJS.ErrnoException | null, written: number): void => {
    isWriting = false;
    chunk = chunk.subarray(written);
    if (chunk.length === 0) finishChunk();
    if (!error && written > 0) next();
    else after(!error || error.code === 'EAGAIN' ? AFTER_BUSY : AFTER_FAILURE, next);
  };
  return {
    write(line) {
      if (waiting + line.length > most) {
        dropped++;
        return;
      }
      lines.push(line);
      waiting += line.length;
      // What is logged in one turn of the event loop goes out in one write.
      if (!isBusy) setImmediate(next);
      isBusy = true;
    },
    isEmpty: () => waiting === 0,
    writeNow() {
      // A write that is under way ends on its own, since Node waits for its threads.
      const rest = Buffer.concat([isWriting ? new Uint8Array() : chunk, Buffer.from(lines.join(''))]);
      for (let done = 0, taken = 1; taken > 0 && done < rest.length; done += taken) taken = output.writeNow(rest.subarray(done));
    },
  };
};
