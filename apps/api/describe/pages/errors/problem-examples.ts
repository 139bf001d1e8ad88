import type { FieldError } from '../../../http/problems/error-codes.js';
import type { ProblemKind } from '../../../http/problems/problem-kinds.js';
import { REJECTION_PROBLEMS } from '../../../http/problems/rejection-problems.js';

/** An example of a request, and of the problem in its response. */
export type ProblemExample = {
  readonly method: string;
  /** The path and query of the request. */
  readonly path: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The response headers that this kind of problem adds. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /**
   * The `instance` of the problem. Default: `path`. The value is `/` if the service rejects the request before it has read
   * the path.
   */
  readonly instance?: string;
};

/** The id of the pet in all examples. */
export const EXAMPLE_PET = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

const JSON_BODY = { 'Content-Type': 'application/json' };
const TOKEN = { Authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9…' };
const PET_PATH = `/v1/pets/${EXAMPLE_PET}`;
const ORDER = { method: 'POST', path: '/v1/orders', requestHeaders: JSON_BODY } as const;
const GET_PET = { method: 'GET', path: PET_PATH } as const;
const orderOf = (order: object): string => JSON.stringify({ petId: EXAMPLE_PET, ...order });

const { pet_not_found, pet_not_available, precondition_failed, idempotency_key_reused } = REJECTION_PROBLEMS;

/**
 * Problems that depend only on the request. `invalid-request` is for values of a wrong form in the path, the
 * query or a header. `validation-failed` is for broken rules, and for wrong types in a body (contract 4.2, 4.3).
 */
const REQUEST_PROBLEMS = {
  'malformed-request': { ...ORDER, body: '{"petId": ', detail: 'The body is not JSON.' },
  'invalid-request': {
    method: 'GET',
    path: '/v1/pets/42',
    detail: 'id: must be a UUID.',
    errors: [{ field: 'id', message: 'must be a UUID', code: 'INVALID_FORMAT' }],
  },
  'validation-failed': {
    ...ORDER,
    body: orderOf({ userId: 'ada', quantity: 0 }),
    detail: 'quantity: must be at least 1.',
    errors: [{ field: 'quantity', message: 'must be at least 1', code: 'too_small' }],
  },
  unauthorized: {
    method: 'POST',
    path: '/v1/pets',
    requestHeaders: JSON_BODY,
    body: '{"name": "Luna", "species": "DOG", "ageMonths": 18}',
    headers: { 'WWW-Authenticate': 'Bearer realm="petstore"' },
    detail: 'This operation needs an access token, in the header Authorization: Bearer <token>.',
  },
  forbidden: {
    method: 'DELETE',
    path: PET_PATH,
    requestHeaders: TOKEN,
    headers: { 'WWW-Authenticate': 'Bearer realm="petstore", error="insufficient_scope", scope="write:pets"' },
    detail: 'This operation needs a token with scope write:pets.',
  },
  'method-not-allowed': {
    method: 'PATCH',
    path: '/v1/pets',
    headers: { Allow: 'GET, HEAD, OPTIONS, POST, QUERY' },
    detail: 'This address does not support PATCH. It supports GET, HEAD, OPTIONS, POST, QUERY.',
  },
  'request-timeout': {
    ...ORDER,
    requestHeaders: { ...JSON_BODY, 'Content-Length': '64' },
    body: '{"petId": ',
    detail:
      'The request did not arrive in time: the headers within 10 s, the body within 30 s, an image within 5 min at 16 KiB a second or more.',
  },
  'content-too-large': {
    ...ORDER,
    requestHeaders: { ...JSON_BODY, 'Content-Length': '1048577' },
    body: '…',
    detail: 'The body is larger than 1 MiB.',
  },
  'unsupported-media-type': {
    ...ORDER,
    requestHeaders: { 'Content-Type': 'text/plain' },
    body: orderOf({ userId: 'ada' }),
    detail: 'The body must be JSON in UTF-8, sent with Content-Type: application/json, uncompressed.',
  },
  'range-not-satisfiable': {
    method: 'GET',
    path: `${PET_PATH}/images/0190a6b7-5b6c-7f89-8a5e-8c6faab79db5`,
    requestHeaders: { Range: 'bytes=300000-' },
    headers: { 'Content-Range': 'bytes */240000' },
    detail: 'The image has 240000 bytes.',
  },
  'expectation-failed': {
    method: 'GET',
    path: '/v1/pets',
    requestHeaders: { Expect: '200-ok' },
    detail: 'The service supports only the expectation 100-continue.',
  },
  'misdirected-request': {
    method: 'GET',
    path: '/v1/pets',
    requestHeaders: { Host: 'elsewhere.example' },
    detail:
      'The service does not answer for the host elsewhere.example. Call it as localhost, 127.0.0.1 or its public address. ' +
      'Behind a proxy, PUBLIC_URL must be the address that people use, and the proxy must pass their Host header on: ' +
      'in nginx by `proxy_set_header Host $host;`.',
  },
  'too-many-requests': {
    method: 'GET',
    path: '/v1/pets',
    headers: { 'Retry-After': '42', RateLimit: '"default";r=0;t=42', 'RateLimit-Policy': '"default";q=600;w=60' },
    detail: 'The rate limit of 600 requests in 60 s is used up. Try again in 42 s.',
  },
  'header-fields-too-large': {
    method: 'GET',
    path: '/v1/pets',
    requestHeaders: { 'X-Long': '…' },
    instance: '/',
    detail: 'The address and headers together are larger than 16 KiB.',
  },
  'not-implemented': {
    ...ORDER,
    requestHeaders: { ...JSON_BODY, 'Transfer-Encoding': 'gzip, chunked' },
    detail: 'The service supports only the transfer coding chunked.',
  },
} as const satisfies Partial<Record<ProblemKind, ProblemExample>>;

/** Problems that depend on the stored data or on the state of the service. */
const STATE_PROBLEMS = {
  'not-found': { ...GET_PET, detail: pet_not_found.detail },
  conflict: { ...ORDER, body: orderOf({ userId: 'bob' }), detail: pet_not_available.detail },
  'precondition-failed': {
    method: 'DELETE',
    path: PET_PATH,
    requestHeaders: { ...TOKEN, 'If-Match': '"0.7"' },
    detail: precondition_failed.detail,
  },
  'idempotency-key-reused': {
    ...ORDER,
    requestHeaders: { ...JSON_BODY, 'Idempotency-Key': '7c1e0a34-order-1' },
    body: orderOf({ userId: 'bob' }),
    detail: idempotency_key_reused.detail,
    errors: [
      {
        field: 'Idempotency-Key',
        message: 'must be a new key, because it was used with another body',
        code: 'mismatch',
      },
    ],
  },
  'internal-error': { ...GET_PET, detail: 'The service failed unexpectedly. The log entry of the failure has the id in X-Request-Id.' },
  'temporarily-unavailable': {
    ...ORDER,
    requestHeaders: { ...JSON_BODY, 'Idempotency-Key': '7c1e0a34-order-1' },
    body: orderOf({ userId: 'ada' }),
    headers: { 'Retry-After': '5' },
    detail: 'The store is not available. Try again with the same Idempotency-Key: if the request took effect, its response is replayed.',
  },
  'history-altered': {
    ...GET_PET,
    headers: { 'Retry-After': '3600' },
    detail:
      'The recorded history of this resource was changed after it was written. The resource can neither be read nor changed until it is repaired.',
  },
  'history-unreadable': {
    ...GET_PET,
    headers: { 'Retry-After': '600' },
    detail: 'A newer version of the service wrote the history of this resource. This version can neither read nor change it.',
  },
} as const satisfies Partial<Record<ProblemKind, ProblemExample>>;

/** An example of each kind of problem. The code does not compile if a kind has no example. */
export const PROBLEM_EXAMPLES: Readonly<Record<ProblemKind, ProblemExample>> = { ...REQUEST_PROBLEMS, ...STATE_PROBLEMS };
