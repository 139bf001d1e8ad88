import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers as documentedHeaders } from '../describe/openapi/headers.js';
import { addVary } from './responses.js';

const EXPOSED_HEADERS = Object.keys(documentedHeaders).join(', ');

/** Matches the name of a header (RFC 9110, 5.1). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** The name of the header that decides. Without it, a browser shows the response to no page of another origin. */
export const ALLOWED_ORIGIN = 'access-control-allow-origin';

/**
 * Allows the pages of an origin, or of any origin (`*`), to read a response (contract 2.10). In the answer to a preflight
 * request, also allows the headers that the request asks for: clients have headers of their own, such as `x-stainless-os`.
 */
export const allowOrigin = ({ method, headers }: FastifyRequest, reply: FastifyReply, origin: string): void => {
  reply.header(ALLOWED_ORIGIN, origin).header('access-control-expose-headers', EXPOSED_HEADERS);
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return;
  addVary(reply, 'Access-Control-Request-Headers');
  const names = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  const allowed = names.filter((name) => HEADER_NAME.test(name)).join(', ');
  if (allowed !== '') reply.header('access-control-allow-headers', allowed);
  // A browser keeps the answer for an hour.
  reply.headers({ 'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, QUERY', 'access-control-max-age': '3600' });
};

/**
 * Returns a function that adds the headers for web pages of these origins (contract 2.10). It is not @fastify/cors, which
 * answers every OPTIONS request, also one that asks for `Allow`, and adds a route without our problems.
 */
export const createCorsHeaders = (origins: readonly string[]): ((request: FastifyRequest, reply: FastifyReply) => void) => {
  const listed = new Set(origins);
  return (request, reply) => {
    if (listed.size === 0) return;
    // Caches keep one response for each origin, also for origins that are not listed.
    addVary(reply, 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && listed.has(origin)) allowOrigin(request, reply, origin);
  };
};
