/** The status of a kind of problem, and the texts of its page. */
export type ProblemDescription = {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  /** The default of Retry-After in seconds (contract 4.8). */
  readonly retryAfter?: number;
};

/**
 * Every kind of problem.
 * Problem bodies, OpenAPI responses and the pages under /errors derive from this table (contract 4.6).
 */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    cause:
      'The service cannot read the request. Its body is missing or is not JSON in UTF-8, or its address or headers break the rules of HTTP. For example, it has two Host headers.',
    remedy: 'Send well-formed JSON in UTF-8 with Content-Type: application/json, and percent-encode the address.',
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    cause: 'A value in the path, the query, a header or the body does not have its documented type or form. The errors name each one.',
    remedy: 'Correct every value that the errors name. Remove unknown query parameters.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    cause:
      'The operation needs a token and none was sent, or the token is expired, malformed or not issued for this service. A token that is sent must be valid, even if the operation needs none.',
    remedy:
      'Send a valid access token as Authorization: Bearer <token>. The command token prints one, and people get one by signing in: see the guide of the API.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    cause: 'The token is valid but does not permit this request: it lacks a scope, belongs to another user, or is bound to another tenant.',
    remedy: 'Use a token of the right user and tenant, with the scope that the operation requires.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    cause: 'This tenant has nothing at this address. The resource never existed, was deleted, or belongs to another tenant.',
    remedy: 'Check the address, the id and the X-Tenant-ID header.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    cause: 'The address exists but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    cause:
      'The request did not arrive completely in time: the headers within 10 seconds, the body within 30 seconds, an image within 5 minutes.',
    remedy: 'Send the whole request at once. An image must bring 16 KiB a second. If it still fails, use a faster connection.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    cause:
      'The state of the resource, or a limit, does not permit the request. For example, the pet is reserved, the order is paid, or a payment is processing.',
    remedy: 'The detail names the state or the limit. Read the resource again before you repeat the request.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    cause:
      'The resource does not meet the precondition. Either it changed after you read the entity tag in If-Match, or If-None-Match contains its current tag, or If-None-Match is * and the resource exists. The result of a search by POST is such a resource.',
    remedy: 'Read the resource again, apply the change to its current state, and send it with the new ETag.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content too large',
    cause: 'The request body is larger than 1 MiB, or an uploaded image is larger than 5 MiB.',
    remedy: 'Send a smaller body or image.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    cause:
      'The Content-Type is missing or is none that the operation takes, or the body is not in UTF-8 or compressed. An upload is not multipart/form-data, or its file is no JPEG, PNG or WebP image.',
    remedy:
      'Send what `detail` names, for most operations Content-Type: application/json, in UTF-8 and without Content-Encoding. Upload a JPEG, PNG or WebP image as multipart/form-data.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    cause: 'The Range header names bytes that the image does not have.',
    remedy: 'Request bytes that the image has. The header Content-Range of the response contains the size of the image.',
  },
  'misdirected-request': {
    status: 421,
    title: 'Misdirected request',
    cause:
      'The Host header names neither this machine nor the public address of the service. The service listens on this machine only, and rejects other host names so that web pages cannot reach it.',
    remedy: 'Call the service as localhost, 127.0.0.1 or its public address, or set PUBLIC_URL. A proxy must pass the Host header on.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    cause: 'The Expect header is not 100-continue, the only expectation that the service supports.',
    remedy: 'Remove the Expect header.',
  },
  'validation-failed': {
    status: 422,
    title: 'Validation failed',
    cause: 'The request is readable but breaks rules. The errors name every failing field.',
    remedy: 'Correct every field that the errors name.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    cause: 'The Idempotency-Key was used before with another body.',
    remedy: 'Use a new key for a new request. Repeat a request with exactly the same body.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    cause: 'The rate limit of this token, or of this address, is used up.',
    remedy: 'Wait for the time in Retry-After. The RateLimit headers of every response show how many requests are left.',
    retryAfter: 60,
  },
  'header-fields-too-large': {
    status: 431,
    title: 'Request header fields too large',
    cause: 'The address and the headers together are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal server error',
    cause: 'The service failed unexpectedly. The log entry of the failure has the id in the X-Request-Id header.',
    remedy: 'Try again. If the failure persists, report this id to the operator.',
  },
  'not-implemented': {
    status: 501,
    title: 'Not implemented',
    cause: 'The request has a transfer coding other than chunked, or the method CONNECT. The service supports neither.',
    remedy: 'Send the body with Content-Length or with Transfer-Encoding: chunked, and use no other transfer coding. Do not use CONNECT.',
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'Temporarily unavailable',
    cause:
      'The service cannot handle the request now: its store is full, busy or damaged, or the service is stopping. The request may still have taken effect.',
    remedy:
      'Try again after the time in Retry-After, with the same Idempotency-Key if there is one. If the problem persists, notify the operator: the log of the service names what to repair.',
    retryAfter: 5,
  },
  'history-altered': {
    status: 503,
    title: 'History altered',
    cause:
      'The recorded history of this resource does not match its hashes, or lacks events: it was changed after it was written. The resource can neither be read nor changed until its history is repaired. All other resources work.',
    remedy:
      'Notify the operator: the log of the service names the stream and the event. The resource works again once a backup is restored.',
    retryAfter: 3_600,
  },
  'history-unreadable': {
    status: 503,
    title: 'History unreadable',
    cause:
      'A newer version of the service wrote the history of this resource, with an event type or a schema version that this version does not know. This version can neither read nor change the resource.',
    remedy: 'Try again when the update of the service is complete. The operator starts the version that wrote the history, or a newer one.',
    retryAfter: 600,
  },
} as const satisfies Readonly<Record<string, ProblemDescription>>;

export type ProblemKind = keyof typeof PROBLEMS;

/** Returns whether a text is the name of a kind of problem. */
export const isProblemKind = (text: string): text is ProblemKind => Object.hasOwn(PROBLEMS, text);
