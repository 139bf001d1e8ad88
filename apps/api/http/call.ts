import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../libs/application/request.js';
import type { TokenClaims } from '../../../libs/ports/access-token.port.js';
import { OPS } from './admission/access.js';
import type { OperationRecord } from './operation.js';

/** The validated parts of a request to an operation. */
export class Call {
  /**
   * The first id in the path, or '' if the path has no id. The id is in lower case, unless the operation has the `idForm`
   * `case-sensitive` or `name`.
   */
  id = '';
  /** The second id in the path, or '' if there is none. It is in lower case under the same conditions as `id`. */
  secondId = '';
  query: unknown = undefined;
  body: unknown = undefined;
  idempotencyKey: string | undefined = undefined;
  /** The tags in If-Match. Undefined without the header, and for `*`, which matches any resource (contract 8.3). */
  ifMatch: readonly string[] | undefined = undefined;
  /** The tags in If-None-Match, or `any` for `*` (contract 8.4). Undefined without the header. */
  ifNoneMatch: 'any' | readonly string[] | undefined = undefined;

  /** The text in Change-Reason. Undefined without the header. */
  reason: string | undefined = undefined;

  constructor(
    readonly requestId: string,
    readonly caller: TokenClaims | null,
    readonly tenant: string,
    /** The only user whose data the caller may access, or null if the caller may access the data of all users (contract 5.8). */
    readonly ownerRestriction: string | null,
    /** The traceparent of the request's span. Undefined if the request is not traced. */
    readonly traceparent: string | undefined = undefined,
  ) {}

  /** Returns the context for commands and queries. */
  context(): RequestContext {
    return {
      tenant: this.tenant,
      actor: this.caller?.subject ?? 'anonymous',
      ...(this.caller?.scopes.has(OPS) && { isOperator: true }),
      requestId: this.requestId,
      ...(this.idempotencyKey !== undefined && { idempotencyKey: this.idempotencyKey }),
      ...(this.ifMatch && { ifMatch: this.ifMatch }),
      ...(this.ifNoneMatch && { ifNoneMatch: this.ifNoneMatch }),
      ...(this.traceparent !== undefined && { traceparent: this.traceparent }),
    };
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission hook if it admits a request to an operation. Other requests have no call. */
    call: Call;
  }
  interface FastifyContextConfig {
    operation?: OperationRecord;
  }
}

/** The types of an operation's query and body. */
type Inputs = { readonly query?: unknown; readonly body?: unknown };

/** A call with the query and body types of its operation. */
export type CallOf<R extends Inputs> = Omit<Call, 'query' | 'body' | 'context'> & {
  readonly query: R['query'];
  readonly body: R['body'];
  context(): RequestContext;
};

/** The request that the handler of an operation receives. */
export type OperationRequest<R extends Inputs = Inputs> = Omit<FastifyRequest, 'call' | 'query' | 'body'> & { readonly call: CallOf<R> };
