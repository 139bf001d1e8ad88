import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isLoopback } from '../../../../libs/settings/address-values.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { framingFault } from '../server/framing.js';
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
export const createPerimeter = (settings: Settings, address: PublicAddress, routes: Routes): Hook => {
  const isAllowedHost = hostCheck(settings, address);
  const [headersOf, addCorsHeaders] = [createGeneralHeaders(settings), createCorsHeaders(settings.corsOrigins)];
  return (request, reply, done) => {
    reply.headers(headersOf(request.id));
    const isClassic = isClassicPath(request.url);
    if (isClassic) addDeprecationHeaders(reply);
    const fault = framingFault(request.raw, request.originalUrl);
    if (fault) return done(fault);
    if (!isAllowedHost(request.headers.host))
      return done(
        new Problem(
          'misdirected-request',
          'The service does not answer for the host in the Host header. Call it as localhost, 127.0.0.1 or its public address.',
        ),
      );
    addCorsHeaders(request, reply);
    if (!isDecodable(request.originalUrl)) return done(new Problem('malformed-request', 'The address has invalid percent-encoding.'));
    // 404 and 405 are sent before the body is read (contract 2.5).
    const path = pathOf(request);
    if (request.method !== 'OPTIONS' && request.is404) return done(unmatchedProblem(path, request.method, routes));
    if (request.method !== 'OPTIONS') return done((isClassic && notAcceptable(request.headers.accept)) || undefined);
    if (path === '*') return void reply.code(204).header('allow', routes.methods()).send();
    const allow = routes.allowed(path);
    if (allow === null) return done(new Problem('not-found', 'There is nothing at this address.'));
    if (QUERY_PATHS.has(path)) reply.header('accept-query', 'application/json');
    reply.header('allow', allow);
    // A preflight request to the authorization server has a route of its own, which also allows the origins of clients.
    if (request.is404) reply.code(204).send();
    else done();
  };
};

/** The host names of the loopback interface. */
const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns a function that checks the Host header. If the setting HOST is not a loopback address, the function accepts
 * every host (contract 2.10). Without the check, a web page whose host name resolves to 127.0.0.1 could read responses
 * (DNS rebinding).
 */
const hostCheck = ({ host, publicUrl }: Settings, address: PublicAddress): ((header: string | undefined) => boolean) => {
  if (!isLoopback(host)) return () => true;
  const names = new Set([...LOCAL_NAMES, host, ...(publicUrl === undefined ? [] : [new URL(address.url).hostname])]);
  return (header) => header !== undefined && names.has(nameOf(header));
};

const nameOf = (header: string): string => header.replace(/:\d*$/, '').toLowerCase();
