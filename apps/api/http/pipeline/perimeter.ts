import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isLoopback } from '../../../../libs/settings/address-values.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { HardenedServers } from '../hardening/server.js';
import { addDeprecationHeaders, isClassicPath, notAcceptable } from '../problems/classic-error.js';
import { Problem } from '../problems/problem.js';
import { unmatchedProblem } from '../problems/problem-sender.js';
import { createCorsHeaders } from '../cors.js';
import { createGeneralHeaders } from './general-headers.js';
import { isDecodable, pathOf } from './request-path.js';
import type { PublicAddress } from '../public-address.js';
import type { Routes } from './routes.js';

/** The paths with the method QUERY (contract 12.10). */
export const QUERY_PATHS: ReadonlySet<string> = new Set(['/v1/pets', '/v1/pets/search']);

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * Creates the hook that every request passes before any other check. The hook sets general headers, checks framing, host and
 * path, and responds to OPTIONS requests.
 */
export const createPerimeter = (
  settings: Settings,
  address: PublicAddress,
  routes: Routes,
  { framingFault }: Pick<HardenedServers, 'framingFault'>,
): Hook => {
  const isAllowedHost = hostCheck(settings, address);
  const [headersOf, addCorsHeaders] = [createGeneralHeaders(settings), createCorsHeaders(settings.corsOrigins)];
  return (request, reply, done) => {
    reply.headers(headersOf(request.id));
    const isClassic = isClassicPath(request.url);
    if (isClassic) addDeprecationHeaders(reply);
    const fault = framingFault(request.raw, request.originalUrl);
    if (fault) return done(fault);
    if (!isAllowedHost(request)) return done(misdirected(request.headers.host));
    addCorsHeaders(request, reply);
    if (!isDecodable(request.originalUrl)) return done(new Problem('malformed-request', 'The address has invalid percent-encoding.'));
    // 404 and 405 are sent before the body is read (contract 2.5).
    const path = pathOf(request);
    // The router also matches an id of no characters: `/v1/pets/` would be a pet with an empty id.
    const isUnmatched = request.is404 || (path.endsWith('/') && routes.allowed(path) === null);
    if (request.method !== 'OPTIONS' && isUnmatched) return done(unmatchedProblem(path, request.method, routes));
    omitEmptyBody(request);
    if (request.method !== 'OPTIONS') return done((isClassic && notAcceptable(request.headers.accept)) || undefined);
    if (path === '*') return void reply.code(204).header('allow', routes.methods()).send();
    const allow = routes.allowed(path);
    if (allow === null) return done(unmatchedProblem(path, request.method, routes));
    if (QUERY_PATHS.has(path)) reply.header('accept-query', 'application/json');
    reply.header('allow', allow);
    // A preflight request to the authorization server has a route of its own, which also allows the origins of clients.
    if (request.is404) reply.code(204).send();
    else done();
  };
};

/**
 * Makes a request without a byte of body a request without a body, whatever its content type is (contract 2.1): `curl -d ''` sends
 * that of a form. A QUERY must have a content type (RFC 10008).
 */
const omitEmptyBody = ({ method, headers }: FastifyRequest): void => {
  if (headers['content-length'] === '0' && method !== 'QUERY') delete headers['content-type'];
};

const misdirected = (host = ''): Problem =>
  new Problem(
    'misdirected-request',
    `The service does not answer for the host ${host.slice(0, LONGEST_HOST)}. Call it as localhost, 127.0.0.1 or its public address. ` +
      'Behind a proxy, PUBLIC_URL must be the address that people use, and the proxy must pass their Host header on: ' +
      'in nginx by `proxy_set_header Host $host;`.',
  );

/** The maximum number of characters of a host name with its port. */
const LONGEST_HOST = 260;

/** Matches the paths that load balancers ask for, by any name of the service. They tell nothing that a page could not know. */
const HEALTH = /^\/health\/(?:live|ready)(?:\?|$)/;

/** Returns the names by which a browser calls a service that listens on a loopback address (contract 2.10). */
export const localNames = (host: string): readonly string[] => ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host];

/**
 * Returns a function that checks the Host header. If the setting HOST is not a loopback address, the function accepts
 * every host (contract 2.10). Without the check, a web page whose host name resolves to 127.0.0.1 could read responses
 * (DNS rebinding). A browser always sends the header. Only a request of HTTP/1.0 has none, such as the health check of HAProxy.
 */
const hostCheck = ({ host, publicUrl }: Settings, address: PublicAddress): ((request: FastifyRequest) => boolean) => {
  if (!isLoopback(host)) return () => true;
  const names = new Set([...localNames(host), ...(publicUrl === undefined ? [] : [new URL(address.url).hostname])]);
  return ({ headers: { host: header }, url }) => header === undefined || names.has(nameOf(header)) || HEALTH.test(url);
};

const nameOf = (header: string): string => header.replace(/:\d*$/, '').toLowerCase();
