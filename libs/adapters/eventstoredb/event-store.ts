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
import { checkCertificateFiles } from './connection/certificate-files.js';
import { Connection } from './connection/connection.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import { ownStreamsOf } from './streams/own-streams.js';
import { Reads } from './streams/reads.js';
import { subscribeFrom, type SubscriptionDependencies } from './streams/subscription.js';

/** The default of `timeout`, in milliseconds. */
const DEFAULT_TIMEOUT = 1_500;

export type EventStoreOptions = {
  /**
   * The client's connection string: `esdb://[user:password@]host:port?tls=...` with one or several hosts, or
   * `esdb+discover://`.
   */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Prefixes of the names of the store's streams. By default, all streams of the namespace belong to the store, except those
   * of the server (`$...`).
   */
  readonly streams?: readonly string[];
  /** Separates the store from others on the same server (contract 24.10). Default: none. */
  readonly namespace?: string;
  /** A call fails after this number of milliseconds without a response. Default: 1,500. */
  readonly timeout?: number;
};

/** An event store on EventStoreDB. */
export type EventStoreDb = EventStore & {
  /** Returns the position of the store's last event, or 0. */
  lastPosition(): Promise<number>;
  /** Resolves when the server responds. Rejects with StoreUnavailable if it does not respond. */
  ready(): Promise<void>;
  /** Closes the connection. Calls that have no response yet fail. */
  close(): Promise<void>;
};

/**
 * Opens an event store on EventStoreDB 22.6 or later, or on KurrentDB. The server need not run yet: calls reject with
 * StoreUnavailable until it runs. Rejects with a RangeError if the address is invalid or names an unusable certificate
 * file.
 */
export const openEventStore = async (options: EventStoreOptions): Promise<EventStoreDb> => {
  const { url, clock, log, streams, namespace = '', timeout = DEFAULT_TIMEOUT } = options;
  const own = ownStreamsOf(namespace, streams);
  const connection = connectionTo(url, clock, timeout);
  const reads = new Reads(connection, own);
  const appends = new Appends({ connection, reads, own, clock, log });
  return new OpenEventStore({ connection, reads, own, clock, log }, appends);
};

const connectionTo = (url: string, clock: Clock, timeout: number): Connection => {
  checkCertificateFiles(url);
  try {
    return new Connection(url, clock, timeout);
  } catch {
    // The error of the client contains the address with the password, so that error is not passed on.
    throw new RangeError('the address of EventStoreDB is invalid: use esdb://[user:password@]host[:port][?tls=false]');
  }
};

class OpenEventStore implements EventStoreDb {
  private readonly closing = new AbortController();

  constructor(
    private readonly dependencies: SubscriptionDependencies,
    private readonly appends: Appends,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    this.assertOpen();
    return this.appends.append({ stream, expected, events });
  }

  async readStream(stream: string, from = 0, limit = Number.MAX_SAFE_INTEGER): Promise<readonly StoredEvent[]> {
    this.assertOpen();
    return this.dependencies.reads.stream(stream, from, limit);
  }

  async readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    this.assertOpen();
    return this.dependencies.reads.all(after, limit);
  }

  async *subscribe(after: number, signal: AbortSignal): AsyncGenerator<EventBatch> {
    yield* subscribeFrom(this.dependencies, after, AbortSignal.any([signal, this.closing.signal]));
    // The subscription also ends when the store is closed. The caller then gets an error, unless it has aborted `signal`.
    if (!signal.aborted) this.assertOpen();
  }

  async lastPosition(): Promise<number> {
    this.assertOpen();
    return this.dependencies.reads.lastPosition();
  }

  async ready(): Promise<void> {
    await this.lastPosition();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.dependencies.connection.close();
  }

  private assertOpen(): void {
    if (this.closing.signal.aborted) throw new StoreUnavailable('the store is closed');
  }
}
