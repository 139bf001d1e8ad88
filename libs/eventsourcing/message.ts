/** An event or a command: a type and its data, both plain JSON. */
export type Message<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly data: Data;
};

/** A branded type: the compiler rejects a PetId where an OrderId is expected. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };

/** The tenant of requests without an X-Tenant-ID header. All other tenants are UUIDs, so none can equal this name. */
export const SHARED_POOL = 'shared';

/** The metadata of an event that deciders, projections and processes can read. */
export type EventMeta = {
  /** `<category>-<aggregate id>`, for example `pet-0190…`. */
  readonly stream: string;
  /** Position in the stream, from 0. */
  readonly revision: number;
  /** A tenant's UUID, or SHARED_POOL. */
  readonly tenant: string;
  /** When the event was recorded: ISO 8601, UTC, milliseconds. */
  readonly time: string;
  /** Who caused the event: the subject of a token, `anonymous`, or `process:<name>`. */
  readonly actor: string;
  /** A keyed digest of the body of the request that caused the event. Absent if the request had no Idempotency-Key. */
  readonly bodyDigest?: string;
  /** The read models and consumers that leave the event out, because an operator has it skipped (contract 43.8). Absent: none. */
  readonly skippedBy?: readonly string[];
};

/** The context of a command: its actor, its tenant and its cause. It becomes the metadata of the command's events. */
export type CommandContext = {
  readonly tenant: string;
  readonly actor: string;
  /** The same id for all commands and events that one request causes. */
  readonly correlationId: string;
  /** The id of the request or the event that caused this command. */
  readonly causationId: string;
  /** The position of the event that caused this command, if known. */
  readonly causedAt?: number;
  readonly requestId?: string;
  readonly bodyDigest?: string;
  /** The span that caused this command, if its trace is recorded. */
  readonly traceparent?: string;
};

/** A recorded event, upcast to the current shape. Personal fields are still sealed. */
export type RecordedEvent<E extends Message = Message> = E & {
  readonly id: string;
  /** Position in the whole log: higher than that of every earlier event, and below 2^53. */
  readonly position: number;
  readonly meta: EventMeta & {
    readonly correlationId: string;
    readonly causationId: string;
    readonly requestId?: string;
    /** The span that recorded the event. */
    readonly traceparent?: string;
  };
};

/**
 * Returns the context of a command that an event causes. The actor, the tenant and the request of the command are those of
 * the event.
 */
export const commandContextOf = (event: {
  readonly id: string;
  readonly position?: number;
  readonly meta: EventMeta & { readonly correlationId: string; readonly requestId?: string; readonly traceparent?: string };
}): CommandContext => ({
  tenant: event.meta.tenant,
  actor: event.meta.actor,
  correlationId: event.meta.correlationId,
  causationId: event.id,
  ...(event.position !== undefined && { causedAt: event.position }),
  ...(event.meta.requestId && { requestId: event.meta.requestId }),
  ...(event.meta.bodyDigest && { bodyDigest: event.meta.bodyDigest }),
  ...(event.meta.traceparent && { traceparent: event.meta.traceparent }),
});

/** Ends every switch over a union, so that a forgotten case does not compile. */
export const unreachable = (value: never): never => {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
};

/** Returns `pet` for `pet-0190…`. */
export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};

/** Returns `0190…` for `pet-0190…`. */
export const aggregateIdOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
