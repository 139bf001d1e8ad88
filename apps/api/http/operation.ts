import type { HeaderName } from '../describe/openapi/headers.js';
import type { FieldError } from './problems/error-codes.js';
import type { Reason } from './problems/rejection-problems.js';
import type { UploadBody } from './bodies/image-uploads.js';
import type { Dto } from './validation/metadata.js';
import type { QueryShape } from './validation/query-shape.js';
import type { NamedSchema } from './validation/schemas.js';
import type { Shape } from './validation/shape.js';
import type { SecurityKind } from '../../../libs/domain/security/security.decider.js';
import type { Access, Scope } from './admission/access.js';
import type { LimitName } from './admission/request-limits.js';

/** The groups of operations in the OpenAPI document. */
export const TAGS = {
  Pets: 'The catalog: list, search and manage pets',
  Orders: 'Orders for pets, from placing to delivery',
  Payments: 'Payments of orders, and receipts',
  Adoptions: 'Applications for the adoption of pets',
  Inventory: 'The number of pets and the ordered quantities by status',
  Users: 'Accounts, signing in and sessions',
  Webhooks: 'Endpoints that receive events, and their deliveries',
  Chat: 'The pet advisor',
  Audit: 'The history of every resource, for auditors',
  Operations: 'For operators: accounts and their status',
  Clients: 'The clients of the authorization server, for operators',
  Keys: 'The keys of the service, for operators',
} as const;

/** The tag of requests that the service sends. It is no tag of an operation: generators would mix both in one class. */
export const RECEIVERS = 'Receivers';

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
  /**
   * Set if the operation is for the whole store, not for the tenant of the request. If the operation requires a token, a
   * token that is bound to a tenant is rejected (contract 6.5).
   */
  readonly wholeStore?: true;
  /**
   * Set if the operation rejects OAuth clients that act for a person. They could use it to take over the person's account or
   * to erase the person's data. Clients with the scope `ops` are accepted (contract 5.8).
   */
  readonly notForClients?: true;
  /**
   * The form of the ids in the path. By default, an id must be a UUID. With `number`, it must be a positive integer. Any other
   * text gets a 400. `any` accepts every text and converts it to lower case. `case-sensitive` and `name` accept every text
   * unchanged. `name` is for usernames, which are personal: the log shows the template of their path.
   */
  readonly idForm?: 'any' | 'case-sensitive' | 'number' | 'name';
  /** Its limit, if requests do not only count towards the common one (contract 11.2). */
  readonly limit?: LimitName;
  /**
   * If set, each success is recorded as a security event of this kind (contract 34.1). A `password-change` is recorded only
   * if the body has a password, and a `revocation` only if the request has a token.
   */
  readonly security?: SecurityKind;
  /** Set if the operation reads the header Change-Reason, which its security event keeps (contract 34.1). */
  readonly takesReason?: true;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly query?: QueryShape<object>;
  /** Replaces `query` for callers with this scope, who may use more filters. */
  readonly privileged?: { readonly scope: Scope; readonly query: QueryShape<object> };
  readonly body?: Shape<object>;
  readonly bodyExample?: unknown;
  /** Further examples of a body by what they show, such as a card that is declined. */
  readonly furtherBodyExamples?: Readonly<Record<string, unknown>>;
  /** Set if the body may also be a form: application/x-www-form-urlencoded. */
  readonly form?: true;
  /** Set if a form may have the parameters of the query, too. A field of the form has priority. Other bodies are ignored. */
  readonly queryInForm?: true;
  /** Set instead of `body` if the body is multipart/form-data with an image. The schema describes the parts of the body. */
  readonly upload?: NamedSchema;
  /** Set if the body of an upload may also be the file alone, as application/octet-stream. */
  readonly uploadAlone?: true;
  /** If set, a validation error is answered with 400 instead of 422 (contract 4.3). */
  readonly validationProblem?: 'invalid-request';
  /** Set for a POST operation that changes no resource, such as a search. The request log does not treat it as a change. */
  readonly readsOnly?: true;
  /** Set if the operation finds documents by many criteria, which may take long. Such requests run in turn by caller. */
  readonly isSearch?: true;
  /** Whether the operation reads the header Idempotency-Key (contract 9.1). */
  readonly idempotent?: true;
  /** Whether the operation changes a resource and reads If-Match and If-None-Match (contract 8.3, 8.4). */
  readonly conditional?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    readonly schema?: Dto | NamedSchema;
    /** Set if the body is a list. `schema` then describes each object in the list. */
    readonly list?: true;
    readonly example?: unknown;
    /** The media types of a binary body, set instead of `schema`. Clients can request ranges of its bytes. */
    readonly binary?: readonly string[];
    /** The media type of a file that clients read as a whole, set instead of `schema`. */
    readonly download?: string;
    /** The schema of the data of an event. Set if a client can request the body as a stream of server-sent events. */
    readonly events?: NamedSchema;
    /** The names of the events, if they have names. */
    readonly eventNames?: readonly string[];
    /** Headers of this response, besides the common ones. */
    readonly headers?: readonly HeaderName[];
    /** Set if the response has no ETag (contract 8.1). */
    readonly withoutEtag?: true;
    /** Set if the response is computed for each request. It has no URL and no ETag, and is never 304. */
    readonly isComputed?: true;
  };
  /**
   * The rejection reasons of the operation's command, or the 404 of its query.
   * All other problems of the operation derive from the fields above.
   */
  readonly problems: readonly (Reason | NotFound)[];
};

/** The 404 problem of a query. `notFound` is the `detail` of the problem. `errors` name the field that caused it. */
export type NotFound = { readonly notFound: string; readonly errors?: readonly FieldError[] };

/** The type of an operation's validated body. */
export type BodyOf<O> = O extends { readonly body: Shape<infer Body> }
  ? Body
  : O extends { readonly upload: NamedSchema }
    ? UploadBody
    : undefined;

/** The type of an operation's validated query. */
export type QueryOf<O> = O extends { readonly privileged: { readonly query: QueryShape<infer Query> } }
  ? Query
  : O extends { readonly query: QueryShape<infer Query> }
    ? Query
    : undefined;

/** Returns whether an operation changes nothing. */
export const isRead = ({ method, readsOnly }: Pick<OperationRecord, 'method' | 'readsOnly'>): boolean =>
  method === 'GET' || method === 'QUERY' || readsOnly === true;
