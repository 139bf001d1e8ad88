/** A pointer to a recorded event: consumers read the event itself from the log. */
export type MessagePointer = {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Messages of one key are handled one after the other, in order. The aggregate's stream. */
  readonly key: string;
  readonly tenant: string;
  /** The event's place in the whole log, where the adapter knows it. */
  readonly position?: number;
};

/** A key whose message failed too often: it and later ones of that key wait, all other keys go on. */
export type ParkedKey = {
  readonly consumer: string;
  readonly key: string;
  /** The first revision that waits. */
  readonly revision: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly parkedAt: string;
};

/** Someone who follows the log. */
export type Consumer = {
  /** Names the stored position; two consumers of one name share the work. */
  readonly name: string;
  /** Message types it wants; the rest is skipped unread. */
  readonly types: ReadonlySet<string>;
  /**
   * Those of its types that it wants of what the read models already show. Asked before messages are taken, by an adapter whose read
   * models change with the log; any other takes all types.
   */
  readonly typesNow?: () => Promise<ReadonlySet<string>>;
  /** Resolves when the message is dealt with. Rejecting asks for it again, and in the end parks its key. */
  readonly handle: (message: MessagePointer) => Promise<void>;
};

/** A consumer at work. */
export interface Subscription {
  /** Takes no new message, waits for those in hand, stores the position. */
  stop(): Promise<void>;
  /** Tries every parked key again, in order; answers how many keys came free. */
  retryParked(): Promise<number>;
}

/** How far a consumer has come, all that share its position taken together. */
export type ConsumerState = {
  /** How much of what there is to read it has not passed yet; what is none of its types counts too. Parked messages are passed. */
  readonly behind: number;
  /** How many keys are parked. */
  readonly parked: number;
};

/** At least once, in order per key, the position stored after handling. */
export interface Messages {
  subscribe(consumer: Consumer): Promise<Subscription>;
  /** The consumers that are subscribed here, by their names. Rejects with StoreUnavailable when it cannot be said now. */
  consumers(): Promise<Readonly<Record<string, ConsumerState>>>;
}
