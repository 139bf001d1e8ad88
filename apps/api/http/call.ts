import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../libs/application/request.js';
import type { TokenClaims } from '../../../libs/ports/access-token.port.js';
import type { OperationRecord } from './operation.js';

/** A request to an operation, as far as it was found right on its way in. */
export class Call {
  /** The resource's id from the path, in lower case; empty when the path has none. */
  id = '';
  /** The id of what belongs to that resource, in lower case; empty when the path names none. */
  part = '';
  query: unknown = undefined;
  body: unknown = undefined;
  idempotencyKey: string | undefined = undefined;
  ifMatch: readonly string[] | undefined = undefined;
  ifNoneMatch: 'any' | readonly string[] | undefined = undefined;

  constructor(
    readonly requestId: string,
    readonly caller: TokenClaims | null,
    readonly tenant: string,
    /** Whose orders alone this caller may see and touch; null when everybody's. */
    readonly confinedTo: string | null,
  ) {}

  /** What commands learn of the request. */
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
    /** Set before a handler runs, on the routes of operations. */
    call: Call;
  }
  interface FastifyContextConfig {
    operation?: OperationRecord;
  }
}

/** What an operation reads of its requests, beside ids and headers. */
type Read = { readonly query?: unknown; readonly body?: unknown };

/** A call whose query and body are what its operation reads. */
export type CallOf<R extends Read> = Omit<Call, 'query' | 'body' | 'context'> & {
  readonly query: R['query'];
  readonly body: R['body'];
  context(): RequestContext;
};

/** A request as an operation's handler gets it. */
export type OperationRequest<R extends Read = Read> = Omit<FastifyRequest, 'call' | 'query' | 'body'> & { readonly call: CallOf<R> };
