/** The descriptions of response headers. */
export const headers = {
  ETag: { description: 'Entity tag of the representation', schema: { type: 'string' }, example: '"0.1"' },
  Location: { description: 'URL of the new resource', schema: { type: 'string', format: 'uri' } },
  'Idempotent-Replayed': {
    description: 'true when an earlier request with the same Idempotency-Key created the resource',
    schema: { type: 'string', const: 'true' },
  },
  'Consistency-Token': {
    description: 'A read that sends this token sees this write. Only the distributed profile sends the header',
    schema: { type: 'string' },
    example: 'pet=8.order=9',
  },
  Consistency: {
    description: 'stale when the response shows a read model that an operator has paused. Otherwise absent',
    schema: { type: 'string', const: 'stale' },
  },
  'X-Callback-Request-Id': { description: 'The requestId of the callback', schema: { type: 'string', format: 'uuid' } },
  'X-Request-Id': { description: 'Id of the request in the log', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'The maximum number of requests in a window', schema: { type: 'integer' }, example: 600 },
  'RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' }, example: 599 },
  'RateLimit-Reset': { description: 'Seconds to the end of this window', schema: { type: 'integer' }, example: 42 },
  RateLimit: {
    description: 'The requests left in this window (r), and the seconds to its end (t)',
    schema: { type: 'string' },
    example: '"default";r=599;t=42',
  },
  'RateLimit-Policy': {
    description: 'The maximum number of requests in a window (q), and the length of a window in seconds (w)',
    schema: { type: 'string' },
    example: '"default";q=600;w=60',
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' }, example: 5 },
  Allow: { description: 'The methods that this path accepts', schema: { type: 'string' }, example: 'GET, HEAD, OPTIONS' },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750)', schema: { type: 'string' }, example: 'Bearer realm="petstore"' },
  'Content-Range': {
    description: 'The sent range of bytes and the image size',
    schema: { type: 'string' },
    example: 'bytes 0-1023/240000',
  },
  'Accept-Query': { description: 'The media type that QUERY accepts', schema: { type: 'string' }, example: 'application/json' },
} as const;

/** The name of a described response header. */
export type HeaderName = keyof typeof headers;

/** Returns references to headers by name. */
export const headerRefs = (...names: readonly HeaderName[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of every successful response. */
export const COMMON_HEADERS = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;
