/** A kind of problem, as its page explains it. */
export type ProblemDescription = {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  /** Seconds after which asking again makes sense: "429 and 503 carry Retry-After". */
  readonly retryAfter?: number;
};

/** Every problem this service answers: problem bodies, OpenAPI responses and the pages under /errors are made from it. */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    cause:
      'The request could not be read: its body is missing, is not JSON in UTF-8, or its address or headers break the rules of HTTP, as two Host headers do.',
    remedy: 'Send well-formed JSON in UTF-8 with Content-Type: application/json, and percent-encode the address.',
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    cause: 'A value in the path, the query, a header, or a search body is not of its documented type or form. The errors name each one.',
    remedy: 'Correct every value that the errors name. Unknown query parameters are refused, so leave them out.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    cause:
      'The operation needs a bearer token and none was sent, or the one sent is unknown, expired or malformed. A token that is sent must be valid, even where none is needed.',
    remedy: 'Send a valid access token as Authorization: Bearer <token>.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    cause: 'The token is valid, but does not permit this: it lacks a scope, belongs to somebody else, or is bound to another tenant.',
    remedy: 'Use a token with the scope that the operation names, of the right person and tenant.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    cause: 'There is nothing at this address for this tenant: it never existed, was deleted, or belongs to another tenant.',
    remedy: 'Check the address, the id and the X-Tenant-ID header.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    cause: 'The address exists but does not take this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    cause: 'The request did not arrive completely in time.',
    remedy: 'Send the whole request at once, over a better connection if need be.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    cause:
      'The resource is in a state that rules this out: the pet is taken, the order is paid, a payment is processing, or there are as many as there may be.',
    remedy: 'Read the resource again and decide anew; the detail says which rule stands in the way.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    cause:
      'The resource is not what the request depends on: it has changed since the entity tag in If-Match was handed out, or If-None-Match names what it is, or * although it exists.',
    remedy: 'Read the resource again, apply the change to what it is now, and send it with the new ETag.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content too large',
    cause: 'The request body is larger than this service takes: 1 MiB of JSON.',
    remedy: 'Send less.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The Content-Type is missing, or not the one the operation takes.',
    remedy: 'Send Content-Type: application/json (in UTF-8, uncompressed).',
  },
  'misdirected-request': {
    status: 421,
    title: 'Misdirected request',
    cause:
      'The Host header names another host than this one, which listens on this machine only. Web pages elsewhere could reach it otherwise.',
    remedy: 'Call the service by localhost, 127.0.0.1 or its public address, or set PUBLIC_URL.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    cause: 'The Expect header asks for something other than 100-continue, which is all that this service can promise.',
    remedy: 'Leave the Expect header out.',
  },
  'validation-failed': {
    status: 422,
    title: 'Validation failed',
    cause: 'The request is well-formed, but breaks rules. The errors name every failing field.',
    remedy: 'Correct every field that the errors name.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    cause: 'The Idempotency-Key was used before with another body.',
    remedy: 'Use a new key for a new request; repeat a request with exactly the same body.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    cause: 'The allowance of this token, or of this address, is used up for now.',
    remedy: 'Wait as long as Retry-After says. The RateLimit headers of every answer show what is left.',
    retryAfter: 60,
  },
  'header-fields-too-large': {
    status: 431,
    title: 'Request header fields too large',
    cause: 'The address and headers together are larger than this service takes: 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal server error',
    cause: 'Something failed that should not have. It was logged under the id in the X-Request-Id header.',
    remedy: 'Try again; if it persists, report that id.',
  },
  'not-implemented': {
    status: 501,
    title: 'Not implemented',
    cause: 'The request has a transfer coding other than chunked, or the method CONNECT. This service understands neither.',
    remedy: 'Send the body as it is, with Content-Length or Transfer-Encoding: chunked.',
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'Temporarily unavailable',
    cause:
      'The service cannot do this now: its store is full, busy or damaged, or it is stopping. Where an answer of the store was lost, what this request asked for may have been recorded all the same.',
    remedy:
      'Try again after the time in Retry-After, with the same Idempotency-Key where there is one. If it persists, tell the operator of the service, whose log says what to repair.',
    retryAfter: 5,
  },
  'history-altered': {
    status: 503,
    title: 'History altered',
    cause:
      'The recorded history of this resource does not match its hashes, or lacks events: it was changed after it was written. The resource is neither shown nor changed until its history is whole again; all others are.',
    remedy:
      'Tell the operator of the service, who finds the stream and the event in its log. Asking again helps once a backup is restored.',
    retryAfter: 3_600,
  },
  'history-unreadable': {
    status: 503,
    title: 'History unreadable',
    cause:
      'A newer version of the service wrote the history of this resource, with an event or a form of one that this version does not know. It is neither shown nor changed by this version.',
    remedy: 'Ask again when the update of the service is complete. Its operator starts the version that wrote it, or a newer one.',
    retryAfter: 600,
  },
} as const satisfies Readonly<Record<string, ProblemDescription>>;

export type ProblemKind = keyof typeof PROBLEMS;

/** Whether a text is the name of a kind. */
export const isProblemKind = (text: string): text is ProblemKind => Object.hasOwn(PROBLEMS, text);
