/** An event to append. `data` and `metadata` are canonical JSON texts. A store never parses them. */
export type EncodedEvent = {
  /** UUID. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
};

/** An event as a store returns it, byte for byte as it was appended. */
export type StoredEvent = EncodedEvent & {
  readonly stream: string;
  /** Position in the stream, from 0. */
  readonly revision: number;
  /** Position in the log, from 1, ascending. Without gaps in the embedded store. Below 2^53. */
  readonly position: number;
};

/** The revision of a stream's last event, or `none` if the stream does not exist. */
export type ExpectedRevision = number | 'none';

/**
 * The result of an append: the revision and position of the last appended event, or the actual revision of the stream
 * after a conflict.
 */
export type AppendResult =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision };

/** A batch of a subscription: events in log order, and whether they reach the end of the log. */
export type EventBatch = { readonly events: readonly StoredEvent[]; readonly caughtUp: boolean };

/**
 * The store cannot append or read now, for example because the disk is full or the connection was lost. A failed append has
 * written nothing, unless the message says that its outcome is unknown. In that case the caller appends the same event ids again
 * to learn the outcome.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The log of all events. It is the only source of truth. */
export abstract class EventStore {
  /**
   * Appends `events` (one or more) to `stream` after the `expected` revision: all of them or none, in order. The events are
   * durable when the promise resolves. If the stream has another revision, nothing is written and the actual revision is
   * returned. A repeated append of the same event ids at the same revision returns the first result, so a caller may retry
   * after an unknown outcome. Rejects with StoreUnavailable.
   */
  abstract append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult>;

  /** Reads up to `limit` events of a stream from revision `from` (default 0) on. Returns `[]` if there are no such events. */
  abstract readStream(stream: string, from?: number, limit?: number): Promise<readonly StoredEvent[]>;

  /** Reads up to `limit` events of the whole log after the position `after` (0 is the start), in log order. */
  abstract readAll(after: number, limit: number): Promise<readonly StoredEvent[]>;

  /**
   * Returns every event after the position `after` in batches: first the existing events, then new events as they are
   * appended. No event is skipped, and events of one stream are in order. `caughtUp` is true in every batch that reaches the
   * end of the log, even if that batch is empty. Ends when `signal` aborts.
   */
  abstract subscribe(after: number, signal: AbortSignal): AsyncIterable<EventBatch>;
}
