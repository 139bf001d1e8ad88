import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { previousHashOf, type VerifiedLog } from './verified-history.js';

/**
 * Maximum number of streams whose last hash is cached. The full cache takes about 30 MB. An event of a stream that is not cached
 * costs one more read.
 */
const CACHED_STREAMS = 100_000;

type Link = { readonly revision: number; readonly hash: string };

/** The result of reading some events: the intact ones, and the first fault of each broken stream. */
export type VerifiedEvents = { readonly events: readonly RecordedEvent[]; readonly faults: readonly HistoryFault[] };

/**
 * Verifies and decodes the log for a reader that processes it in order, from any position on. The last hash of each stream
 * is cached. If the hash of the previous event is not cached, that event is read.
 */
export class HistoryReader {
  /** The last hashes of streams that were read recently. Once this map has `capacity / 2` entries, it replaces `older`. */
  private recent = new Map<string, Link>();
  private older: ReadonlyMap<string, Link> = new Map();

  constructor(
    private readonly log: VerifiedLog,
    /** `decodes`: another reader verifies the chains, so this one only decodes the events. */
    private readonly task: 'verifies and decodes' | 'decodes' = 'verifies and decodes',
    private readonly capacity = CACHED_STREAMS,
  ) {}

  /**
   * Verifies and decodes events. Skips the streams for which `isSkipped` is true. Of a broken stream, returns the events
   * before its first fault.
   */
  async read(stored: readonly StoredEvent[], isSkipped: (stream: string) => boolean = () => false): Promise<VerifiedEvents> {
    const events: RecordedEvent[] = [];
    const faults = new Map<string, HistoryFault>();
    for (const event of stored) {
      const { stream } = event;
      if (faults.has(stream) || isSkipped(stream)) continue;
      try {
        if (this.task === 'verifies and decodes') {
          const before = this.previousHash(event);
          this.cacheLink(event, this.log.codec.verify(event, typeof before === 'string' ? before : await before));
        }
        events.push(this.log.codec.decode(event));
      } catch (error) {
        if (!(error instanceof BrokenHistory)) throw error;
        faults.set(stream, error.fault);
      }
    }
    return { events, faults: [...faults.values()] };
  }

  /** Returns a cached hash directly. A promise for every event of the log would take too much time. */
  private previousHash(event: StoredEvent): string | Promise<string> {
    if (event.revision === 0) return '';
    const cached = this.recent.get(event.stream) ?? this.older.get(event.stream);
    return cached?.revision === event.revision - 1 ? cached.hash : previousHashOf(this.log, event);
  }

  /** Caches a hash. Drops half of a full cache: dropping one stream at a time would take a tenth of an audit's time. */
  private cacheLink({ stream, revision }: StoredEvent, hash: string): void {
    this.recent.set(stream, { revision, hash });
    if (this.recent.size < this.capacity / 2) return;
    this.older = this.recent;
    this.recent = new Map();
  }
}
