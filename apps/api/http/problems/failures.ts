import { HttpException, NotFoundException } from '@nestjs/common';
import { ExportFailed } from '../../../../libs/audit/export/export-builder.js';
import { IssuerUnavailable, RevocationsUnavailable } from '../../../../libs/ports/access-token.port.js';
import { ImagesBusy } from '../../../../libs/ports/image-processor.port.js';
import { HasherBusy } from '../../../../libs/ports/password-hasher.port.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { BrokenHistory } from '../../../../libs/eventsourcing/history.js';
import { PROBLEMS, type ProblemKind } from './problem-kinds.js';
import { unsupportedBody } from '../bodies/bodies.js';
import { Problem } from './problem.js';

/** Fastify's errors for a body whose type no parser reads. A QUERY without a Content-Type must fail too (RFC 10008, 2). */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_CTP_EMPTY_TYPE',
  'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
]);

/** The kind and detail of the problem for each error of Fastify or Node, by error code. */
const FASTIFY_FAILURES: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed-request', 'A JSON body is required.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed-request', 'The body is not JSON.'],
  // The client closed the connection before it had sent the whole body. The service itself did not fail.
  ECONNRESET: ['malformed-request', 'The connection was closed before the whole body arrived.'],
};

const historyAltered = (): Problem =>
  new Problem(
    'history-altered',
    'The recorded history of this resource was changed after it was written. The resource can neither be read nor changed until it is repaired.',
  );

const historyUnreadable = (): Problem =>
  new Problem(
    'history-unreadable',
    'A newer version of the service wrote the history of this resource. This version can neither read nor change it.',
  );

/**
 * Converts an error to a problem. An unexpected error becomes an `internal-error` without details (contract
 * 4.7). `unmatched` creates the problem for a request that matches no route, and `unsupported` that for a body of a wrong type.
 */
export const problemOf = (failure: unknown, unmatched: () => Problem, unsupported = () => unsupportedBody(undefined)): Problem => {
  if (failure instanceof Problem) return failure;
  // Only Nest throws this error, for a request that matches no route.
  if (failure instanceof NotFoundException) return unmatched();
  if (failure instanceof HasherBusy)
    return new Problem('temporarily-unavailable', 'Too many passwords are being checked. Try again after the time in Retry-After.');
  if (failure instanceof ImagesBusy)
    return new Problem('temporarily-unavailable', 'Too many images are being processed. Try again after the time in Retry-After.');
  if (failure instanceof IssuerUnavailable)
    return new Problem('temporarily-unavailable', 'The keys of the token’s issuer are not known yet. Try again with the same token.');
  if (failure instanceof RevocationsUnavailable)
    return new Problem('temporarily-unavailable', 'Whether the token has ended cannot be read now. Try again with the same token.');
  if (failure instanceof StoreUnavailable)
    return new Problem(
      'temporarily-unavailable',
      'The store is not available. Try again with the same Idempotency-Key: if the request took effect, its response is replayed.',
    );
  if (failure instanceof BrokenHistory) return failure.fault.kind === 'altered' ? historyAltered() : historyUnreadable();
  if (failure instanceof ExportFailed)
    return new Problem('history-altered', `The log cannot be exported, because it was altered: ${failure.message}.`);
  const code = codeOf(failure);
  if (code === '' && failure instanceof HttpException) return ofException(failure);
  if (UNSUPPORTED.has(code)) return unsupported();
  const known = FASTIFY_FAILURES[code];
  return known ? new Problem(...known) : internalError();
};

const internalError = (): Problem =>
  new Problem('internal-error', 'The service failed unexpectedly. The log entry of the failure has the id in X-Request-Id.');

/** Converts an exception that a guard, a pipe or an interceptor has thrown to the first kind of problem with its status. */
const ofException = (exception: HttpException): Problem => {
  const kind = (Object.keys(PROBLEMS) as ProblemKind[]).find((name) => PROBLEMS[name].status === exception.getStatus());
  if (kind === undefined || kind === 'internal-error') return internalError();
  return new Problem(kind, exception.message, kind === 'unauthorized' ? { headers: { 'www-authenticate': 'Bearer' } } : {});
};

/**
 * Returns the code of an error. If the error has no code, returns the code of its cause, because Nest wraps the errors of
 * Fastify. Returns '' if neither has a code.
 */
const codeOf = (failure: unknown): string => {
  if (typeof failure !== 'object' || failure === null) return '';
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  return 'cause' in failure ? codeOf(failure.cause) : '';
};
