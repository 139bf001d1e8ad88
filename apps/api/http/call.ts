import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../libs/application/request.js';
import type { TokenClaims } from '../../../libs/ports/access-token.port.js';
import type { OperationRecord } from './operation.js';

/** The validated parts of a request to an operation. */
export class Call {
  /** The first id in the path, in lower case. Empty if the path has no id. */
  id = '';
  /** The second id in the path, in lower case. Empty if the path has no second id. */
  secondId = '';
  query: unknown = undefined;
  body: unknown = undefined;
  idempotencyKey: string | undefined = undefined;
  ifMatch: readonly string[] | undefined = undefined;
  ifNoneMatch: 'any' | readonly string[] | undefined = undefined;

  constructor(
    readonly requestId: string,
    readonly caller: TokenClaims | null,
    readonly tenant: string,
    /** The only user whose orders or account the caller may access, or null for all users. */
    readonly ownerRestriction: string | null,
  ) {}

  /** Returns the context for commands and queries. */
  context(): RequestContext {
    return {
      tenant: this.tenant,
      actor: this.caller?.subject ?? 'anonymous',
      requestId: this.requestId,
      ...(this.idempotencyKey !== undefined && { idempotencyKey: this.idempotencyKey }),
      ...(this.ifMatch && { ifMatch: this.ifMatch }),
      ...(this.ifNoneMatch && { ifNoneMatch: this.ifNoneMatch }),
    };
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The admission hook sets it for requests to operations. */
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
