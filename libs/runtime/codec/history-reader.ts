import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { previousHashOf, type VerifiedLog } from './verified-history.js';

/**
 * Number of streams with a cached last hash, which take about 30 MB. An event of another stream costs one
 * more read.
 */
const CACHED_STREAMS = 100_000;

type Link = { readonly revision: number; readonly hash: string };

/** The result of reading some events: the intact ones, and the first fault of each broken stream. */
export type VerifiedEvents = { readonly events: readonly RecordedEvent[]; readonly faults: readonly HistoryFault[] };

/**
 * Verifies and decodes the log for a reader that processes it in order, from any position on. It caches the
 * last hash of each stream. If a hash is not cached, it reads the previous event.
 */
export class HistoryReader {
  private readonly last = new Map<string, Link>();

  constructor(
    private readonly log: VerifiedLog,
    private readonly capacity = CACHED_STREAMS,
  ) {}

  /**
   * Skips the streams for which `isSkipped` is true. Returns the events of a broken stream up to its first
   * fault.
   */
  async read(stored: readonly StoredEvent[], isSkipped: (stream: string) => boolean = () => false): Promise<VerifiedEvents> {
    const events: RecordedEvent[] = [];
    const faults = new Map<string, HistoryFault>();
    for (const event of stored) {
      const { stream } = event;
      if (faults.has(stream) || isSkipped(stream)) continue;
      try {
        const before = this.previousHash(event);
        this.cacheLink(event, this.log.codec.verify(event, typeof before === 'string' ? before : await before));
        events.push(this.log.codec.decode(event));
      } catch (error) {
        if (!(error instanceof BrokenHistory)) throw error;
        faults.set(stream, error.fault);
      }
    }
    return { events, faults: [...faults.values()] };
  }

  private previousHash(event: StoredEvent): string | Promise<string> {
    if (event.revision === 0) return '';
    const known = this.last.get(event.stream);
    return known?.revision === event.revision - 1 ? known.hash : previousHashOf(this.log, event);
  }

  private cacheLink({ stream, revision }: StoredEvent, hash: string): void {
    this.last.delete(stream);
    this.last.set(stream, { revision, hash });
    if (this.last.size > this.capacity) this.last.delete(this.last.keys().next().value as string);
  }
}
