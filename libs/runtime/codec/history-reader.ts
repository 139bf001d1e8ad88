import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { hashBefore, type VerifiedLog } from './verified-history.js';

/** Streams whose last hash is remembered: some 30 MB. An event of any other costs a read of the event before it. */
const REMEMBERED = 100_000;

type Link = { readonly revision: number; readonly hash: string };

/** What a run over some events comes to: those that can be used, and the streams that cannot go on. */
export type HistoryRun = { readonly events: readonly RecordedEvent[]; readonly faults: readonly HistoryFault[] };

/**
 * Checks and decodes the log for a reader who takes it in log order, from any position on. What is remembered is only a
 * shortcut: the hash that an event must follow is otherwise read from the log.
 */
export class HistoryReader {
  private readonly last = new Map<string, Link>();

  constructor(
    private readonly log: VerifiedLog,
    private readonly remembered = REMEMBERED,
  ) {}

  /** Skips the streams that `isSkipped` names. Of a broken stream, the events before the first one at fault are answered. */
  async read(stored: readonly StoredEvent[], isSkipped: (stream: string) => boolean = () => false): Promise<HistoryRun> {
    const events: RecordedEvent[] = [];
    const faults = new Map<string, HistoryFault>();
    for (const event of stored) {
      const { stream } = event;
      if (faults.has(stream) || isSkipped(stream)) continue;
      try {
        const before = this.hashBefore(event);
        this.keep(event, this.log.codec.verify(event, typeof before === 'string' ? before : await before));
        events.push(this.log.codec.decode(event));
      } catch (error) {
        if (!(error instanceof BrokenHistory)) throw error;
        faults.set(stream, error.fault);
      }
    }
    return { events, faults: [...faults.values()] };
  }

  private hashBefore(event: StoredEvent): string | Promise<string> {
    if (event.revision === 0) return '';
    const known = this.last.get(event.stream);
    return known?.revision === event.revision - 1 ? known.hash : hashBefore(this.log, event);
  }

  private keep({ stream, revision }: StoredEvent, hash: string): void {
    this.last.delete(stream);
    this.last.set(stream, { revision, hash });
    if (this.last.size > this.remembered) this.last.delete(this.last.keys().next().value as string);
  }
}
