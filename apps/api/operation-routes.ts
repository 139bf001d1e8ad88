import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { TokenVerifier } from '../../libs/ports/access-token.port.js';
import type { Settings } from '../../libs/settings/settings.js';
import { createAdmission } from './http/admission/admission.js';
import type { Limiters } from './http/admission/limiters.js';
import type { Consistency } from './http/consistency/consistency.js';
import { createDeadline } from './http/pipeline/handler-deadline.js';
import { pathOf } from './http/pipeline/request-path.js';
import { compileRequestReader } from './http/pipeline/request-reader.js';
import { SearchTurns } from './http/admission/search-turns.js';
import { findShadowedRoutes, type Routes } from './http/pipeline/routes.js';
import { unmatchedProblem, type ProblemSender } from './http/problems/problem-sender.js';
import { LIMITS } from './limits.js';
import { CLASSIC_OPERATIONS, OPERATIONS } from './operations.js';

type RouteOptions = {
  readonly settings: Pick<Settings, 'accessPolicy'>;
  readonly tokens: TokenVerifier;
  readonly consistency?: Consistency;
  readonly limits?: Partial<typeof LIMITS>;
};

/**
 * Adds a Fastify hook that gives the route of each operation its hooks: admission, validation, and what its handler needs. It runs
 * when Nest adds a route, in `init()`. It also adds the methods of the route to the header `Allow`. This function adds the routes of
 * `findShadowedRoutes` before the hook: they answer 405, so `Allow` must not name their methods.
 */
export const prepareRoutes = (
  server: FastifyInstance,
  options: RouteOptions,
  routes: Routes,
  problems: ProblemSender,
  limiters: Limiters,
): void => {
  const { settings, tokens, consistency } = options;
  const { handlerMilliseconds, checkMilliseconds, ...limits } = { ...LIMITS, ...options.limits };
  const turns = SearchTurns.on(server, limits);
  const deadline = createDeadline(server, handlerMilliseconds, checkMilliseconds, (problem, request, reply) =>
    problems.send(problem, request, reply),
  );
  const { accessPolicy: policy } = settings;
  // Fastify requires the option `handler`, but the handler never runs, because `onRequest` rejects every request.
  for (const route of findShadowedRoutes(Object.values({ ...OPERATIONS, ...CLASSIC_OPERATIONS })))
    server.route({ ...route, handler: throwUnmatched(routes), onRequest: throwUnmatched(routes) });
  server.addHook('onRoute', (route) => {
    routes.add(route);
    const operation = route.config?.operation;
    if (!operation) return;
    const read = compileRequestReader(operation);
    const [limiter, furtherLimiter] = [limiters.of(operation), limiters.furtherOf(operation)];
    route.onRequest = createAdmission(operation, { tokens, policy, limiter, furtherLimiter });
    route.preHandler = [
      (request, reply, done) => {
        const problem = read(request, request.call);
        if (problem) return done(problem);
        deadline.begin(request, reply);
        done();
      },
      ...(consistency ? [(request, _reply, done) => consistency.begin(request, done)] satisfies preHandlerHookHandler[] : []),
      ...(operation.isSearch ? [(request, _reply, done) => turns.begin(request, done)] satisfies preHandlerHookHandler[] : []),
    ];
    route.onSend = [
      (request, _reply, payload, done) => {
        deadline.end(request);
        turns.end(request);
        done(null, payload);
      },
      ...(consistency ? [waitBeforeSending(consistency)] : []),
      // Fastify's own hook of a HEAD route.
      ...(route.onSend ? [route.onSend].flat() : []),
    ];
    // The handler has sent its answer by the reply, perhaps as a stream, or one that waits for a read model. With the reply as the
    // result of the handler, Fastify waits for that answer and does not send another.
    const { handler } = route;
    route.handler = async function (request, reply) {
      await handler.call(this, request, reply);
      return reply;
    };
  });
};

/** Returns an `onRequest` hook that rejects a request with 404 or 405 before its body is read. */
const throwUnmatched = (routes: Routes) => async (request: FastifyRequest) => {
  throw unmatchedProblem(pathOf(request), request.method, routes);
};

/**
 * Returns a hook that delays the response to a write until the read model contains the write. The longest delay is the
 * setting WRITE_WAIT (contract 10.2).
 */
const waitBeforeSending =
  (consistency: Consistency) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes): void => {
    const waiting = consistency.beforeSending(request, reply);
    if (waiting) waiting.then(() => done(null, payload), done);
    else done(null, payload);
  };
