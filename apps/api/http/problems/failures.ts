import { NotFoundException } from '@nestjs/common';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { BrokenHistory } from '../../../../libs/eventsourcing/history.js';
import type { ProblemKind } from './problem-kinds.js';
import { Problem } from './problem.js';

/** What refusals of Fastify's, and of Node's below it, are to a client, by their code. */
const FASTIFY_FAILURES: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'The body must be JSON, sent with Content-Type: application/json.'],
  FST_ERR_CTP_EMPTY_TYPE: ['unsupported-media-type', 'The body must be JSON, sent with Content-Type: application/json.'],
  // RFC 10008, 2: a QUERY without a Content-Type must fail.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['unsupported-media-type', 'The body must be JSON, sent with Content-Type: application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed-request', 'A JSON body is required.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed-request', 'The body is not JSON.'],
  // The client hung up in the middle of its body: nobody reads the answer, and it is no failure of ours.
  ECONNRESET: ['malformed-request', 'The request ended before its body did.'],
  FST_ERR_BAD_URL: ['malformed-request', 'The address is not percent-encoded as it must be.'],
};

const altered = (): Problem =>
  new Problem(
    'history-altered',
    'The recorded history of this resource was changed after it was written, so the resource is neither shown nor changed.',
  );

const unreadable = (): Problem =>
  new Problem(
    'history-unreadable',
    'A newer version of the service wrote the history of this resource; this version can neither show nor change it.',
  );

/** The problem that tells a client of a failure; whatever is not known here is an internal error, and said to be no more. */
export const problemOf = (failure: unknown, unmatched: () => Problem): Problem => {
  if (failure instanceof Problem) return failure;
  // Thrown by Nest alone, for requests that no route takes.
  if (failure instanceof NotFoundException) return unmatched();
  if (failure instanceof StoreUnavailable)
    return new Problem(
      'temporarily-unavailable',
      'The store cannot do this now. Should it have recorded anything, a repeat with the same Idempotency-Key finds it.',
    );
  if (failure instanceof BrokenHistory) return failure.fault.kind === 'altered' ? altered() : unreadable();
  const [kind, detail] = FASTIFY_FAILURES[codeOf(failure)] ?? ['internal-error', 'Something went wrong on our side.'];
  return new Problem(kind, detail);
};

/** Nest wraps what Fastify refuses; the cause is what it was. */
const codeOf = (failure: unknown): string => {
  if (typeof failure !== 'object' || failure === null) return '';
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  return 'cause' in failure ? codeOf(failure.cause) : '';
};
