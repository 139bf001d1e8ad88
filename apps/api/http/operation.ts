import type { HeaderName } from '../describe/openapi/headers.js';
import type { Reason } from './problems/rejection-problems.js';
import type { Dto } from './validation/metadata.js';
import type { QueryShape } from './validation/query-shape.js';
import type { NamedSchema } from './validation/schemas.js';
import type { Shape } from './validation/shape.js';
import type { Access, Scope } from './admission/access.js';

/** The groups of operations in the interface description. */
export const TAGS = {
  Pets: 'The catalog: list, search and manage pets',
  Orders: 'Orders for pets, from placing to delivery',
  Payments: 'Payments of orders, and receipts',
  Inventory: 'Quantities by status',
  Webhooks: 'Endpoints that receive events, and their deliveries',
} as const;

/** An operation. Its route, access rule, validation and description all come from this record. */
export type OperationRecord = {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'QUERY';
  /** As in OpenAPI: `/v1/pets/{id}`. */
  readonly path: string;
  /** Who may call it (contract 5.6). */
  readonly access: Access;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly query?: QueryShape<object>;
  /** The query of callers with the scope. */
  readonly privileged?: { readonly scope: Scope; readonly query: QueryShape<object> };
  readonly body?: Shape<object>;
  readonly bodyExample?: unknown;
  /** Validation errors are 400 instead of 422 (contract 4.3). */
  readonly violations?: 'invalid-request';
  /** Marks a POST that changes nothing. It is not logged as a change. */
  readonly readsOnly?: true;
  /** Reads Idempotency-Key (contract 9.1). */
  readonly idempotent?: true;
  /** Reads If-Match and If-None-Match (contract 8.3, 8.4). */
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
  /** The reasons of its 404 and 409 responses. The problems of an invalid request follow from the other fields. */
  readonly problems: readonly (Reason | NotFound)[];
};

/** The detail of a 404 that is no rejection of a command. */
export type NotFound = { readonly notFound: string };

/** The type of an operation's validated body. */
export type BodyOf<O> = O extends { readonly body: Shape<infer Body> } ? Body : undefined;

/** The type of an operation's validated query. */
export type QueryOf<O> = O extends { readonly privileged: { readonly query: QueryShape<infer Query> } }
  ? Query
  : O extends { readonly query: QueryShape<infer Query> }
    ? Query
    : undefined;
