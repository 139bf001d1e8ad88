import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from './responses.js';

const EXPOSED_HEADERS = [
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
].join(', ');

/** The headers of the response to a preflight request. A browser keeps it for an hour. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, QUERY',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Tenant-ID, Consistency-Token',
  'access-control-max-age': '3600',
};

/**
 * Returns a function that adds the headers for web pages of these origins (contract 2.10). It is not @fastify/cors, which answers every OPTIONS request, also one that asks for `Allow`, and adds a
 * route without our problems.
 */
export const createCorsHeaders = (origins: readonly string[]): ((request: FastifyRequest, reply: FastifyReply) => void) => {
  const listed = new Set(origins);
  return ({ method, headers }, reply) => {
    if (listed.size === 0) return;
    // Caches keep one response for each origin, also for origins that are not listed.
    addVary(reply, 'Origin');
    const { origin } = headers;
    if (origin === undefined || !listed.has(origin)) return;
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED_HEADERS);
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) reply.headers(PREFLIGHT_HEADERS);
  };
};
