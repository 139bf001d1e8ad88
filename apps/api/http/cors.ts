/** Returns the CORS options for web pages of these origins (contract 2.10). */
export const corsOptions = (origins: readonly string[]) => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'QUERY'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-Request-Id',
    'X-Tenant-ID',
    'Consistency-Token',
  ],
  exposedHeaders: [
    'Consistency-Token',
    'ETag',
    'Idempotent-Replayed',
    'Location',
    'RateLimit',
    'RateLimit-Limit',
    'RateLimit-Policy',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'X-Callback-Request-Id',
    'X-Request-Id',
  ],
  // Seconds for which a browser may cache the response to a preflight.
  maxAge: 3600,
  // With `true`, a preflight without Origin would get a 400 in plain text from the plugin, instead of a problem.
  strictPreflight: false,
});
