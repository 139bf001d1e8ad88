import { createHash } from 'node:crypto';
import { hasOwnHash, readLine, type ExportedEvent } from './exported-event.js';

const NEWLINE = 0x0a;

/** Reads the lines of events.ndjson, and computes the digest of the file while it is read. */
export class ExportLines {
  private readonly sha256 = createHash('sha256');
  private lines = 0;

  constructor(
    private readonly chunks: Iterable<Uint8Array>,
    /** Called for a line that is not an event or does not match its hash, with the line's number from 1. */
    private readonly onFault: (line: number, reason: string) => void,
  ) {}

  /** The number of lines that were read. */
  get count(): number {
    return this.lines;
  }

  /** Yields the events. Skips lines that are not events. */
  *events(): Generator<ExportedEvent> {
    for (const line of this.texts()) {
      this.lines++;
      const event = readLine(line);
      if (!event) this.onFault(this.lines, 'it is not the canonical JSON of an event');
      else if (!hasOwnHash(event)) this.onFault(this.lines, 'it does not match its hash');
      if (event) yield event;
    }
  }

  /** Returns the digest of the whole file, base64url. Call it once, after all events were read. */
  digest(): string {
    return this.sha256.digest('base64url');
  }

  private *texts(): Generator<string> {
    let rest: Buffer = Buffer.alloc(0);
    for (const chunk of this.chunks) {
      this.sha256.update(chunk);
      rest = Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
        yield rest.toString('utf8', start, end);
        start = end + 1;
      }
      rest = rest.subarray(start);
    }
    if (rest.length > 0) yield rest.toString('utf8');
  }
}
