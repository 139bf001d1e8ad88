import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type {
  AppendResult,
  EncodedEvent,
  EventBatch,
  EventStore,
  ExpectedRevision,
  StoredEvent,
} from '../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { Appends } from './streams/appends.js';
import { readCertificateFiles } from './connection/certificate-files.js';
import { Connection } from './connection/connection.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import type { OwnStreams } from './streams/read-requests.js';
import { Reads } from './streams/reads.js';
import { subscription, type SubscriptionParts } from './streams/subscription.js';

/** A call is given up when nothing is heard of it for so many milliseconds. */
const PATIENCE = 1_500;

export type EventStoreOptions = {
  /** `esdb://[user:password@]host:port?tls=...`, several hosts, or `esdb+discover://`: the client's connection string. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The prefixes of the store's own streams; without them, all streams but the server's own are. */
  readonly streams?: readonly string[];
  /** Milliseconds without an answer after which a call is given up. */
  readonly patience?: number;
};

/** The log in EventStoreDB. */
export type EventStoreDb = EventStore & {
  /** The position of the log's last own event, 0 when there is none: what lag is measured by. */
  lastPosition(): Promise<number>;
  /** Resolves when the server answers; rejects with StoreUnavailable when it does not. */
  ready(): Promise<void>;
  /** Ends the connection; what is under way is given up. */
  close(): Promise<void>;
};

/**
 * Opens the log of an EventStoreDB 22.6 or later, or of a KurrentDB. It need not be running yet: calls reject with
 * StoreUnavailable until it is. Rejects when the address is not one, or names a certificate file that cannot be used.
 */
export const openEventStore = async (options: EventStoreOptions): Promise<EventStoreDb> => {
  const { url, clock, log, streams, patience = PATIENCE } = options;
  const own: OwnStreams = streams ?? 'all-but-system';
  const connection = connectionTo(url, clock, patience);
  const reads = new Reads(connection, own);
  const appends = new Appends({ connection, reads, clock, log });
  return new OpenEventStore({ connection, reads, own, clock, log }, appends);
};

const connectionTo = (url: string, clock: Clock, patience: number): Connection => {
  readCertificateFiles(url);
  try {
    return new Connection(url, clock, patience);
  } catch {
    // What the client says of an address it cannot read repeats it, password and all.
    throw new RangeError('the address of EventStoreDB cannot be used: esdb://[user:password@]host[:port][?tls=false] is expected');
  }
};

class OpenEventStore implements EventStoreDb {
  private readonly closing = new AbortController();

  constructor(
    private readonly parts: SubscriptionParts,
    private readonly appends: Appends,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    this.refuseWhenClosed();
    return this.appends.append({ stream, expected, events });
  }

  async readStream(stream: string, from = 0, limit = Number.MAX_SAFE_INTEGER): Promise<readonly StoredEvent[]> {
    this.refuseWhenClosed();
    return this.parts.reads.stream(stream, from, limit);
  }

  async readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    this.refuseWhenClosed();
    return this.parts.reads.all(after, limit);
  }

  async *subscribe(after: number, signal: AbortSignal): AsyncGenerator<EventBatch> {
    yield* subscription(this.parts, after, AbortSignal.any([signal, this.closing.signal]));
    if (!signal.aborted) this.refuseWhenClosed();
  }

  async lastPosition(): Promise<number> {
    this.refuseWhenClosed();
    return this.parts.reads.lastPosition();
  }

  async ready(): Promise<void> {
    await this.lastPosition();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.parts.connection.close();
  }

  private refuseWhenClosed(): void {
    if (this.closing.signal.aborted) throw new StoreUnavailable('the store is closed');
  }
}
