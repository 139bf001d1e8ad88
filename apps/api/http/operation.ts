import type { HeaderName } from '../describe/openapi/headers.js';
import type { Reason } from './problems/rejection-problems.js';
import type { Dto } from './validation/metadata.js';
import type { QueryShape } from './validation/query-shape.js';
import type { NamedSchema } from './validation/schemas.js';
import type { Shape } from './validation/shape.js';
import type { RateLimit } from '../../../libs/settings/setting-values.js';
import type { Access, Scope } from './admission/access.js';

/** The groups of operations in the OpenAPI document. */
export const TAGS = {
  Pets: 'The catalog: list, search and manage pets',
  Orders: 'Orders for pets, from placing to delivery',
  Payments: 'Payments of orders, and receipts',
  Inventory: 'Quantities by status',
  Webhooks: 'Endpoints that receive events, and their deliveries',
  Users: 'Accounts',
} as const;

/**
 * The declaration of an operation. Its route, access rule, validation and OpenAPI description derive from it.
 */
export type OperationRecord = {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'QUERY';
  /** The path in OpenAPI notation, such as `/v1/pets/{id}`. */
  readonly path: string;
  /** The token that a caller needs (contract 5.6). */
  readonly access: Access;
  /** Whether an id in the path may have any form, because one that is no UUID is answered with 404. */
  readonly anyIdForm?: true;
  /** The limit of this operation, if it has one of its own instead of the common one (contract 11.2). */
  readonly rateLimit?: RateLimit;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly query?: QueryShape<object>;
  /** Replaces `query` for callers with this scope, who may use more filters. */
  readonly privileged?: { readonly scope: Scope; readonly query: QueryShape<object> };
  readonly body?: Shape<object>;
  readonly bodyExample?: unknown;
  /** If set, a validation error is answered with 400 instead of 422 (contract 4.3). */
  readonly validationProblem?: 'invalid-request';
  /** Set for a POST operation that only reads. Its requests are not logged as changes. */
  readonly readsOnly?: true;
  /** Whether the operation reads the header Idempotency-Key (contract 9.1). */
  readonly idempotent?: true;
  /** Whether the operation changes a resource and reads If-Match and If-None-Match (contract 8.3, 8.4). */
  readonly conditional?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    readonly schema?: Dto | NamedSchema;
    readonly example?: unknown;
    /** Headers of this response, besides the common ones. */
    readonly headers?: readonly HeaderName[];
    /** Set if the response has no ETag (contract 8.1). */
    readonly withoutEtag?: true;
  };
  /**
   * The reasons for rejecting its command, or the 404 of its query.
   * Other problems derive from the fields above.
   */
  readonly problems: readonly (Reason | NotFound)[];
};

/** The 404 problem of a query: the text of its `detail`. */
export type NotFound = { readonly notFound: string };

/** The type of an operation's validated body. */
export type BodyOf<O> = O extends { readonly body: Shape<infer Body> } ? Body : undefined;

/** The type of an operation's validated query. */
export type QueryOf<O> = O extends { readonly privileged: { readonly query: QueryShape<infer Query> } }
  ? Query
  : O extends { readonly query: QueryShape<infer Query> }
    ? Query
    : undefined;
