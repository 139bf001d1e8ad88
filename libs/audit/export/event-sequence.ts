import type { ExportedEvent } from './exported-event.js';
import type { ExportManifest } from './manifest.js';

/** Checks that the events of an export belong to its scope, follow each other, and are exactly those of the range. */
export class EventSequence {
  /** The last event that was added, inside or outside the range. */
  private last: ExportedEvent | null = null;
  /** The first and the last event of the range: the first and the last line of events.ndjson. */
  private firstLine: ExportedEvent | null = null;
  private lastLine: ExportedEvent | null = null;
  private fault: string | null = null;

  constructor(private readonly statement: ExportManifest) {}

  /** Adds the next event: first the event before the range, then the events of the range, then the event after the range. */
  add(event: ExportedEvent): void {
    const { eventBefore, eventAfter } = this.statement;
    this.fault ??= this.scopeFault(event) ?? this.orderFault(event);
    this.last = event;
    if (event === eventBefore || event === eventAfter) return;
    this.firstLine ??= event;
    this.lastLine = event;
  }

  /** Returns the first fault, or null. Call it after the last event was added. */
  end(): string | null {
    return this.fault ?? this.endFault() ?? this.timeFault();
  }

  private scopeFault({ number, metadata, stream }: ExportedEvent): string | null {
    const { tenant, stream: ownStream } = this.statement;
    if (tenant !== null && metadata.tenant !== tenant) return `event ${number} of the log belongs to another tenant`;
    return ownStream !== null && stream !== ownStream ? `event ${number} of the log belongs to another stream` : null;
  }

  /** Returns null if an event follows the last added event in the exported log, stream or tenant. Otherwise, returns a fault. */
  private orderFault({ number, revision, metadata }: ExportedEvent): string | null {
    const { last } = this;
    if (this.isWholeLog) return number === this.nextNumber(number) ? null : `event ${this.nextNumber(number)} of the log is missing`;
    if (!last) return null;
    const isNext = this.statement.stream === null || (revision === last.revision + 1 && metadata.previousHash === last.metadata.hash);
    return isNext && number > last.number ? null : `event ${number} of the log does not follow event ${last.number}`;
  }

  private get isWholeLog(): boolean {
    return this.statement.tenant === null && this.statement.stream === null;
  }

  /** Returns the number that the next event must have. The event before the range may have any number. */
  private nextNumber(number: number): number {
    const { base, eventBefore } = this.statement;
    if (this.last) return this.last.number + 1;
    return eventBefore ? number : (base?.checkpoint.size ?? 0) + 1;
  }

  /** Returns a fault if an export of the whole log has no `eventAfter`, and ends before the last event that `cover` covers. */
  private endFault(): string | null {
    const { base, cover, eventAfter } = this.statement;
    const end = this.last?.number ?? base?.checkpoint.size ?? 0;
    return !this.isWholeLog || eventAfter || end === cover.checkpoint.size ? null : `events are missing after event ${end} of the log`;
  }

  /**
   * Compares the times at both ends of the range, and returns a fault if one does not fit. `eventBefore` must be before `from`,
   * and the first event of the range must not. The last event of the range must be before `to`, and `eventAfter` must not.
   */
  private timeFault(): string | null {
    const { from, to, eventBefore, eventAfter } = this.statement;
    const isBefore = (event: ExportedEvent | null, time: string | null): boolean =>
      time !== null && event !== null && event.metadata.time < time;
    if (isBefore(this.firstLine, from) || (eventBefore && !isBefore(eventBefore, from)))
      return 'its events do not begin where the range begins';
    const isAtEnd = to === null || !this.lastLine || isBefore(this.lastLine, to);
    return isAtEnd && !isBefore(eventAfter, to) ? null : 'its events do not end where the range ends';
  }
}
