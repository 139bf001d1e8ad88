/** A response. `route` is a template, for example `/v1/pets/{id}`, or `unmatched`. It is never the path of the request. */
export type ServedRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Set for an operation that can answer with a stream, whose time says nothing of the service. */
  readonly isStream?: true;
};

/** The outcome of a delivery attempt. `failed`: another attempt follows. All but `delivered` and `failed` park the delivery. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'exhausted' | 'gone' | 'disabled' | 'removed';

/** How many events a reader of the log has not handled yet, and how long the first of them has waited. */
export type Lag = {
  /** The number of events that wait for the reader, up to a fixed limit. */
  readonly events: number;
  /** Seconds since the first waiting event was recorded. Null if that time is unknown. */
  readonly seconds: number | null;
};

/** The connections of a pool. */
export type PoolState = {
  readonly open: number;
  readonly inUse: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
};

/** The last audit that found no fault in the log. */
export type AuditResult = {
  /** The position up to which that audit has verified the log. */
  readonly position: number;
  /** Seconds since that audit ended. */
  readonly seconds: number;
};

/** What is stuck of one kind (contract 43.9). */
export type StuckWork = {
  readonly count: number;
  /** Seconds since the oldest of it should have happened. 0 if nothing of this kind is stuck. */
  readonly oldestSeconds: number;
};

/** Values that are read when the metrics are requested. A value that is absent or null is unknown, and has no series. */
export type Measurements = {
  /** The lag by read model. */
  readonly projections: Readonly<Record<string, Lag | null>>;
  readonly relay: Lag | null;
  /** By consumer: the number of messages that wait (`behind`), and the number of parked message keys. */
  readonly consumers: Readonly<Record<string, { readonly behind: number; readonly parked: number }>>;
  /** The number of parked streams, by the name of the reader: a read model, or the relay (which publishes events to topics). */
  readonly parkedStreams: Readonly<Record<string, number>>;
  /** Null if no audit has verified the log. */
  readonly audit: AuditResult | null;
  /** The faults that the last audit has found, by kind. */
  readonly auditFaults: Readonly<Record<string, number>>;
  /** The number of orders that are not removed, by status. Empty if it is unknown. */
  readonly orders: Readonly<Record<string, number>>;
  /** What is stuck, by kind. Empty if it is unknown. */
  readonly stuck: Readonly<Record<string, StuckWork>>;
  readonly alteredStreams: number;
  readonly unreadableStreams: number;
  /** The number of log lines that were dropped since the process started. */
  readonly droppedLogLines: number;
  readonly httpConnections: number | null;
  /** By the name of the pool. */
  readonly pools: Readonly<Record<string, PoolState>>;
};

/** The outcome of a chat for which a language model was called: `answered`, or why the built-in advisor answered instead. */
export type ModelOutcome = 'answered' | 'unreachable' | 'rejected' | 'timeout' | 'invalid' | 'uncited' | 'stopping';

/** How an append ended. */
export type AppendOutcome = 'appended' | 'conflict' | 'failed';

/**
 * Counts what a process does. The texts in arguments are constants of the code, never an id, a tenant or a token. Calls return
 * at once and never throw.
 */
export interface Metrics {
  /** Counts a response that was sent or aborted. */
  requestServed(request: ServedRequest): void;
  /** Counts a command of a domain. `outcome` is `accepted`, `unchanged`, `failed`, or the reason of the rejection. */
  commandHandled(command: string, outcome: string): void;
  /** Starts the measurement of an append to a stream of this category. Call the returned function once the append has ended. */
  appendStarted(category: string): (outcome: AppendOutcome) => void;
  /** Counts an attempt to deliver to a webhook or callback, or a delivery that was parked without an attempt. */
  deliveryAttempted(target: 'webhook' | 'callback', outcome: DeliveryOutcome): void;
  /** Counts a chat for which a language model was called. */
  modelCalled(outcome: ModelOutcome): void;
}
