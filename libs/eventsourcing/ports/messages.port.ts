/** A pointer to a recorded event. Consumers read the event itself from the log. */
export type MessagePointer = {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Messages with the same key are handled one after the other, in order. The key is the aggregate's stream. */
  readonly key: string;
  readonly tenant: string;
  /** The event's position in the whole log, if the adapter knows it. */
  readonly position?: number;
  /** The span that published the message. It is not trusted: anyone who can write to the topic can write any text here. */
  readonly traceparent?: string;
};

/**
 * A key with a message that failed repeatedly. That message and later messages of the key wait for a retry. Messages of
 * other keys do not wait.
 */
export type ParkedKey = {
  readonly consumer: string;
  readonly key: string;
  /** The first revision that waits. */
  readonly revision: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly parkedAt: string;
};

/** A consumer of the log. */
export type Consumer = {
  /** The checkpoint is stored under this name. Consumers with the same name share the work. */
  readonly name: string;
  /** The message types that the consumer handles. Messages of other types are skipped unread. */
  readonly types: ReadonlySet<string>;
  /**
   * Returns those `types` that need handling at present. They depend on read models: for example, deliveries to webhooks need
   * fewer types while no endpoint exists. An adapter may call this function before it takes messages, to skip other types. It
   * must not do so while the read models may lag behind the log, because it would skip messages that need handling.
   */
  readonly currentTypes?: () => Promise<ReadonlySet<string>>;
  /**
   * Resolves when the message is handled. If it rejects, the message is retried. If the last attempt fails, the key is parked.
   */
  readonly handle: (message: MessagePointer) => Promise<void>;
};

/** A running consumer. */
export interface Subscription {
  /** Takes no more messages, waits for those in hand, and stores the position. */
  stop(): Promise<void>;
  /** Retries every parked key, in order. Returns the number of keys that are no longer parked. */
  retryParked(): Promise<number>;
}

/** The progress of a consumer, over all processes that share its position. */
export type ConsumerState = {
  /**
   * Number of messages or events after the checkpoint, including types that the consumer does not handle.
   * Parked messages do not count.
   */
  readonly behind: number;
  /** The age of the first of them in seconds. Absent if there is none, or if the adapter does not know it. */
  readonly behindSeconds?: number;
  /** Number of parked keys. */
  readonly parked: number;
};

/** Delivers messages to consumers, at least once and in order per key. The position is stored after handling. */
export interface Messages {
  subscribe(consumer: Consumer): Promise<Subscription>;
  /**
   * Returns the state of the consumers of this process, by name. Rejects with StoreUnavailable if their state cannot be read.
   */
  consumers(): Promise<Readonly<Record<string, ConsumerState>>>;
}
