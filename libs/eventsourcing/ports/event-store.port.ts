/** An event on its way into a store. `data` and `metadata` are canonical JSON texts; a store never looks into them. */
export type EncodedEvent = {
  /** UUID. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
};

/** An event as a store gives it back, byte for byte what was appended. */
export type StoredEvent = EncodedEvent & {
  readonly stream: string;
  /** Place in the stream, from 0. */
  readonly revision: number;
  /** Place in the log, from 1, growing; without gaps in the embedded store. Below 2^53. */
  readonly position: number;
};

/** The revision of the stream's last event, or `none` when the stream must not exist. */
export type ExpectedRevision = number | 'none';

/** What became of an append: its last event's revision and position, or the revision that stood in its way. */
export type AppendResult =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision };

/** What a subscription hands over: events in log order, and whether the log held no more when they were read. */
export type EventBatch = { readonly events: readonly StoredEvent[]; readonly caughtUp: boolean };

/**
 * The store cannot take or give events now (disk full, connection lost, closed). Nothing of an append was written, unless
 * the message says that this is unknown: then the same event ids, appended again, find out.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The log of everything that happened: the one source of truth. */
export interface EventStore {
  /**
   * Appends `events` (one or more) to `stream` after the `expected` revision: all of them or none, in order, durable
   * when the promise resolves. A wrong expectation writes nothing and answers the actual revision. The same event ids
   * appended again at the same place answer as the first time, so that an unknown outcome may be asked again.
   * Rejects with StoreUnavailable when nothing was written, or when that could not be found out.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult>;

  /** Reads up to `limit` events of a stream from revision `from` (default 0) on; `[]` for a stream that does not exist. */
  readStream(stream: string, from?: number, limit?: number): Promise<readonly StoredEvent[]>;

  /** Reads up to `limit` events of the whole log after position `after` (0 is the beginning), in log order. */
  readAll(after: number, limit: number): Promise<readonly StoredEvent[]>;

  /**
   * Every event after position `after`, as it was and as it comes, in batches; nothing is skipped, none comes before
   * an earlier one of its stream. The first batch that reaches the end says `caughtUp` (also when it is empty), and so
   * does every later one that does. Ends when `signal` aborts.
   */
  subscribe(after: number, signal: AbortSignal): AsyncIterable<EventBatch>;
}
