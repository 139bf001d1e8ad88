/** A named fact (event) or wish (command): a type and its data, both plain JSON. */
export type Message<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly data: Data;
};

/** A string that only its maker hands out, so that a pet's id is never passed for an order's. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };

/** The tenant of everything that no X-Tenant-ID header scopes. No UUID can equal it. */
export const SHARED_POOL = 'shared';

/** What evolve, projections and processes learn of an event beside its data. */
export type EventMeta = {
  /** `<category>-<aggregate id>`, as `pet-0190…`. */
  readonly stream: string;
  /** Place in the stream, from 0. */
  readonly revision: number;
  /** A tenant's UUID, or SHARED_POOL. */
  readonly tenant: string;
  /** When it was recorded: ISO 8601, UTC, milliseconds. */
  readonly time: string;
  /** Whose wish it was: a token's subject, `anonymous`, or `process:<name>`. */
  readonly actor: string;
  /** Keyed digest of the request body that made the stream; only on events of requests with an Idempotency-Key. */
  readonly bodyDigest?: string;
};

/** What accompanies a command: who asks, for which tenant, and what caused it. Becomes the metadata of its events. */
export type CommandContext = {
  readonly tenant: string;
  readonly actor: string;
  /** The same for everything that one request set off. */
  readonly correlationId: string;
  /** The request or the event that this command answers. */
  readonly causationId: string;
  /** The position of the event that this command answers, where it is known. */
  readonly causedAt?: number;
  readonly requestId?: string;
  readonly bodyDigest?: string;
};

/** An event as it was recorded and read back: upcast to today's shape, personal fields still sealed. */
export type RecordedEvent<E extends Message = Message> = E & {
  readonly id: string;
  /** Place in the whole log; grows, never repeats. Below 2^53. */
  readonly position: number;
  readonly meta: EventMeta & { readonly correlationId: string; readonly causationId: string; readonly requestId?: string };
};

/** The context of a command that an event causes: it keeps the request, the actor and the tenant of the event. */
export const consequenceOf = (event: {
  readonly id: string;
  readonly position?: number;
  readonly meta: EventMeta & { readonly correlationId: string; readonly requestId?: string };
}): CommandContext => ({
  tenant: event.meta.tenant,
  actor: event.meta.actor,
  correlationId: event.meta.correlationId,
  causationId: event.id,
  ...(event.position !== undefined && { causedAt: event.position }),
  ...(event.meta.requestId && { requestId: event.meta.requestId }),
  ...(event.meta.bodyDigest && { bodyDigest: event.meta.bodyDigest }),
});

/** The closing branch of every switch over a union: a forgotten case does not compile. */
export const unreachable = (value: never): never => {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
};

/** `pet-0190…` gives `pet`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** `pet-0190…` gives `0190…`. */
export const aggregateIdOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
