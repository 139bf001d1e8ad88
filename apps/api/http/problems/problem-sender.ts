import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersHtml } from '../accept.js';
import { addVary } from '../responses.js';
import { problemOf } from './failures.js';
import { PROBLEMS, type ProblemDescription } from './problem-kinds.js';
import { Problem, PROBLEM_JSON, problemBody } from './problem.js';
import type { PublicAddress } from '../public-address.js';
import type { RequestLog } from '../pipeline/request-log.js';
import { pathOf } from '../pipeline/request-path.js';
import { drainBody } from '../server/drain-body.js';
import type { Routes } from '../pipeline/routes.js';

/** Sends the response to a request that failed. */
export type ProblemSender = { send(failure: unknown, request: FastifyRequest, reply: FastifyReply): void };

/** Sends a page to a browser in place of a problem. */
export type SendPage = (reply: FastifyReply) => void;

/**
 * Creates a sender of problems. To a browser it sends the 404 page instead of a 404 problem. Responses
 * contain no stack trace and no message of a library (contract 4.7).
 */
export const createProblemSender = (
  address: PublicAddress,
  routes: Routes,
  log: RequestLog,
  sendNotFoundPage: SendPage,
): ProblemSender => ({
  send(failure, request, reply) {
    const path = pathOf(request);
    const problem = problemOf(failure, () => unmatchedProblem(path, request.method, routes));
    // A 501 is no failure of the service: its cause is the request.
    if (problem.status >= 500 && problem.kind !== 'not-implemented') log.logFailure(request, problem.status, failure);
    if (reply.sent) return;
    if (problem.kind === 'not-found' && !isApiPath(path)) {
      addVary(reply, 'Accept');
      if (prefersHtml(request.headers.accept)) return sendNotFoundPage(reply);
    }
    const { retryAfter }: ProblemDescription = PROBLEMS[problem.kind];
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
    for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value);
    reply.code(problem.status).header('content-type', PROBLEM_JSON).header('cache-control', 'no-store');
    // A request target that is not a path may contain a password, so `instance` does not repeat it.
    const instance = path.startsWith('/') ? path : '/';
    const send = (): void => void reply.send(JSON.stringify(problemBody(problem, address.url, instance)));
    if (problem.kind === 'content-too-large') drainBody(request.raw, send);
    else send();
  },
});

/**
 * Returns whether a path belongs to the API, where a 404 is always a problem document: some old HTTP clients
 * send an Accept header that prefers HTML.
 */
const isApiPath = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');

/** Creates the problem for a request that matches no route: 404, or 405 with `Allow` (contract 2.3). */
export const unmatchedProblem = (path: string, method: string, routes: Routes): Problem => {
  const allow = routes.allowed(path);
  if (allow === null) return new Problem('not-found', 'There is nothing at this address.');
  return new Problem('method-not-allowed', `This address does not take ${method}. It takes ${allow}.`, { headers: { allow } });
};
