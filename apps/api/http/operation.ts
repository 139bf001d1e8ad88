import type { HeaderName } from '../describe/openapi/headers.js';
import type { Dto } from './validation/metadata.js';
import type { QueryShape } from './validation/query-shape.js';
import type { NamedSchema } from './validation/schemas.js';
import type { Shape } from './validation/shape.js';
import type { Access, Scope } from './admission/access.js';

/** The groups under which operations are shown. */
export const TAGS = {
  Pets: 'The catalogue: list, find and keep pets',
  Orders: 'Orders for pets, from placing to delivery',
  Payments: 'Payments of orders, and receipts',
  Inventory: 'Quantities by status',
  Webhooks: 'Addresses of yours that are told of changes, and what was delivered to them',
} as const;

/** One operation of the interface: the one source for its route, its access rule, the reading of its requests and its description. */
export type OperationRecord = {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'QUERY';
  /** As in OpenAPI: `/v1/pets/{id}`. */
  readonly path: string;
  /** Who may call it. */
  readonly access: Access;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly query?: QueryShape<object>;
  /** What callers with that scope may ask beyond `query`. */
  readonly privileged?: { readonly scope: Scope; readonly query: QueryShape<object> };
  readonly body?: Shape<object>;
  readonly bodyExample?: unknown;
  /** "Where an operation lists only 400 (QUERY /pets, POST /orders/{id}), validation failures are 400 there." */
  readonly violations?: 'invalid-request';
  /** Changes nothing, though its method may: it is not logged as a change. */
  readonly readsOnly?: true;
  /** Reads Idempotency-Key: "on every POST that creates". */
  readonly idempotent?: true;
  /** Reads If-Match and If-None-Match. */
  readonly conditional?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    readonly schema?: Dto | NamedSchema;
    readonly example?: unknown;
    /** Headers of this response beyond the common ones. */
    readonly headers?: readonly HeaderName[];
    /** The response has no ETag (contract 8.1). */
    readonly untagged?: true;
  };
  /** What may stand in the way of it once its request is in order; what may be wrong with the request follows from the rest. */
  readonly problems: readonly ('not-found' | 'conflict')[];
};

/** What an operation's body is, once read. */
export type BodyOf<O> = O extends { readonly body: Shape<infer Body> } ? Body : undefined;

/** What an operation's query is, once read. */
export type QueryOf<O> = O extends { readonly privileged: { readonly query: QueryShape<infer Query> } }
  ? Query
  : O extends { readonly query: QueryShape<infer Query> }
    ? Query
    : undefined;
