import type { Command, Query } from '@nestjs/cqrs';
import type { Rejection } from '../eventsourcing/decider.js';
import type { CommandContext } from '../eventsourcing/message.js';
import type { Fields } from '../eventsourcing/ports/documents.port.js';

/** Who asks, for which tenant, and on which conditions. */
export type RequestContext = {
  /** A tenant's UUID, or SHARED_POOL. */
  readonly tenant: string;
  /** The token's subject, or `anonymous`. */
  readonly actor: string;
  readonly requestId: string;
  /** As sent in Idempotency-Key, up to 255 characters. */
  readonly idempotencyKey?: string;
  /** The entity tags of If-Match without their quotes, as `3.1`; absent without the header and for `*`. */
  readonly ifMatch?: readonly string[];
  /** The entity tags of If-None-Match without their quotes, `any` for `*`; absent without the header. */
  readonly ifNoneMatch?: 'any' | readonly string[];
};

/** A resource as it goes out. */
export type View = {
  readonly id: string;
  /** JSON text. */
  readonly json: string;
  /** Entity tag without quotes. */
  readonly etag: string;
  readonly fields: Fields;
};

/** The answer to a creation: `replayed` when an earlier request with the same Idempotency-Key had made the resource. */
export type Created = View & { readonly replayed: boolean };

/** One page of a collection: the items' JSON texts. */
export type Page = { readonly items: readonly string[]; readonly totalItems: number };

/** The context of the events that a request causes directly. */
export const commandContext = (request: RequestContext, bodyDigest?: string): CommandContext => ({
  tenant: request.tenant,
  actor: request.actor,
  correlationId: request.requestId,
  causationId: request.requestId,
  requestId: request.requestId,
  ...(bodyDigest && { bodyDigest }),
});

/** Why a command is refused: for a reason of its own, since others change the resource, or since it is not what If-Match asks for. */
export type Refused<Reason extends string> = Rejection<Reason | 'contended' | 'precondition_failed'>;

/** What a command or query answers. */
export type AnswerOf<R> = R extends Command<infer A> ? A : R extends Query<infer A> ? A : never;
