import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersHtml } from '../accept.js';
import { addVary } from '../responses.js';
import { addDeprecationHeaders, isClassicPath, NotAcceptable, sendNotAcceptable } from './classic-error.js';
import { unsupportedBody } from '../bodies/bodies.js';
import { errorFormOf } from './error-form.js';
import { problemOf } from './failures.js';
import { PROBLEMS, type ProblemDescription } from './problem-kinds.js';
import { Problem } from './problem.js';
import type { PublicAddress } from '../public-address.js';
import type { RequestLog } from '../pipeline/request-log.js';
import { pathOf, sentPathOf } from '../pipeline/request-path.js';
import type { Routes } from '../pipeline/routes.js';

/** Sends the response to a request that failed. */
export type ProblemSender = { send(failure: unknown, request: FastifyRequest, reply: FastifyReply): void };

/** Sends a page to a browser in place of a problem. */
export type SendPage = (reply: FastifyReply) => void;

/**
 * Creates a sender of problems. Outside the paths of the API, a browser gets the 404 page instead of a 404 problem.
 * Responses contain no stack trace and no message of a library (contract 4.7).
 */
export const createProblemSender = (
  address: PublicAddress,
  routes: Routes,
  log: RequestLog,
  sendNotFoundPage: SendPage,
): ProblemSender => ({
  send(failure, request, reply) {
    if (failure instanceof NotAcceptable) return sendNotAcceptable(reply);
    const path = pathOf(request);
    const problem = problemOf(
      failure,
      () => unmatchedProblem(path, request.method, routes),
      () => unsupportedBody(request.routeOptions.config.operation),
    );
    // A 501 is no failure of the service: its cause is the request.
    if (problem.status >= 500 && problem.kind !== 'not-implemented') log.logFailure(request, problem.status, failure);
    if (reply.sent) return;
    if (problem.kind === 'not-found' && !isApiPath(path)) {
      addVary(reply, 'Accept');
      if (prefersHtml(request.headers.accept)) return sendNotFoundPage(reply);
    }
    const { retryAfter, title }: ProblemDescription = PROBLEMS[problem.kind];
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
    for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value);
    if (isClassicPath(path)) addDeprecationHeaders(reply);
    const { mediaType, bodyOf } = errorFormOf(path);
    reply.code(problem.status).header('content-type', mediaType).header('cache-control', 'no-store');
    // The status line is that of a request whose headers are too slow, see client-errors.ts.
    if (problem.kind === 'request-timeout') reply.raw.statusMessage = title;
    // A request target that is not a path may contain a password, so `instance` does not repeat it.
    const sent = sentPathOf(request);
    const instance = sent.startsWith('/') ? sent : '/';
    reply.send(JSON.stringify(bodyOf(problem, address.url, instance)));
  },
});

/**
 * Returns whether a path belongs to the API. There, a 404 is never an HTML page, because some old HTTP clients send an
 * Accept header that prefers HTML.
 */
const isApiPath = (path: string): boolean => path === '/v1' || path.startsWith('/v1/') || isClassicPath(path);

/** Creates the problem for a request that matches no route: 404, or 405 with `Allow` (contract 2.3). */
export const unmatchedProblem = (path: string, method: string, routes: Routes): Problem => {
  const allow = routes.allowed(path);
  const withoutSlash = path.replace(/\/+$/, '');
  if (allow === null && withoutSlash !== path && routes.allowed(withoutSlash) !== null)
    return new Problem('not-found', `There is nothing at this address. Without the slash at its end it is ${withoutSlash}.`);
  if (allow === null) return new Problem('not-found', 'There is nothing at this address.');
  return new Problem('method-not-allowed', `This address does not support ${method}. It supports ${allow}.`, { headers: { allow } });
};
