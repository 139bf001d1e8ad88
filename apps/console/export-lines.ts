/** What has arrived of an export file. */
export type Arrived = {
  readonly bytes: number;
  /** The number of events. */
  readonly lines: number;
  /** The number in the log of the last event that has arrived; null before the first. */
  readonly number: number | null;
  /** Whether the last line is a whole manifest: without it, an export is incomplete. */
  readonly isComplete: boolean;
};

const NEWLINE = 0x0a;
const MANIFEST = '{"manifest":';

/** Counts the lines of an export file while it arrives (contract 35.17). */
export class ExportLines {
  private bytes = 0;
  private lines = 0;
  private number: number | null = null;
  private isComplete = false;
  /** The beginning of a line whose end has not arrived. */
  private rest: Uint8Array[] = [];

  /** Adds the next bytes, and returns what has arrived. */
  add(chunk: Uint8Array): Arrived {
    this.bytes += chunk.length;
    let last: readonly Uint8Array[] | null = null;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      last = start === 0 ? [...this.rest, chunk.subarray(0, end)] : [chunk.subarray(start, end)];
      this.lines++;
      start = end + 1;
    }
    // A copy: a chunk may be part of a larger buffer, which would stay in memory.
    if (last) this.rest = [chunk.slice(start)];
    else this.rest.push(chunk.slice());
    if (last) this.readLast(textOf(last));
    return this.arrived();
  }

  arrived(): Arrived {
    const { bytes, lines, number, isComplete } = this;
    return { bytes, lines, number, isComplete };
  }

  /** Only the last line of a chunk is read: it says enough, and reading all would take as long as verifying them. */
  private readLast(line: string): void {
    this.isComplete = line.startsWith(MANIFEST);
    if (this.isComplete) this.lines--;
    else this.number = numberIn(line) ?? this.number;
  }
}

const textOf = (parts: readonly Uint8Array[]): string => {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
};

const numberIn = (line: string): number | null => {
  try {
    const { number } = JSON.parse(line) as { readonly number?: unknown };
    return typeof number === 'number' ? number : null;
  } catch {
    return null;
  }
};
