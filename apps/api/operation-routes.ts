import type {
  DoneFuncWithErrOrRes,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import type { TokenVerifier } from '../../libs/ports/access-token.port.js';
import type { Settings } from '../../libs/settings/settings.js';
import { createAdmission } from './http/admission/admission.js';
import type { Limiters } from './http/admission/request-limits.js';
import type { StaleReads } from './http/consistency/stale-reads.js';
import type { Consistency } from './http/consistency/consistency.js';
import { createDeadline, type Deadline } from './http/pipeline/handler-deadline.js';
import { pathOf } from './http/pipeline/request-path.js';
import { compileRequestReader } from './http/pipeline/request-reader.js';
import { SearchTurns } from './http/admission/search-turns.js';
import { findShadowedRoutes, type Routes } from './http/pipeline/routes.js';
import type { SecurityHooks } from './http/pipeline/security-events.js';
import { hooksOf } from './http/request-steps.js';
import { isRead, type OperationRecord } from './http/operation.js';
import { unmatchedProblem, type ProblemSender } from './http/problems/problem-sender.js';
import { LIMITS } from './limits.js';
import { CLASSIC_OPERATIONS, OPERATIONS } from './operations.js';

type RouteOptions = {
  readonly settings: Pick<Settings, 'accessPolicy'>;
  readonly tokens: TokenVerifier;
  readonly consistency?: Consistency;
  /** Says on one folder that a response shows a paused read model. On several machines `consistency` does. */
  readonly stale?: StaleReads;
  readonly limits?: Partial<typeof LIMITS>;
};

/** What the routes of operations share. */
type Shared = {
  readonly routes: Routes;
  readonly problems: ProblemSender;
  readonly limiters: Limiters;
  readonly security: (operation: OperationRecord) => SecurityHooks;
};

/**
 * Gives the route of each operation its hooks, in the order of REQUEST_STEPS. This happens when Nest adds the route, in `init()`.
 * It also adds the methods of the route to the header `Allow`. This function adds the routes of `findShadowedRoutes` before: they
 * answer 405, so `Allow` must not name their methods.
 */
export const prepareRoutes = (server: FastifyInstance, options: RouteOptions, shared: Shared): void => {
  const { settings, tokens, consistency, stale = null } = options;
  const { routes, problems, limiters, security } = shared;
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
    const events = security(operation);
    route.onRequest = hooksOf('onRequest', 'operations', {
      admission: createAdmission(operation, { tokens, policy, limiters }),
    });
    route.preHandler = hooksOf('preHandler', 'operations', {
      'validation, time of the handler': validateAndBegin(operation, deadline),
      consistency: consistency
        ? (request, reply, done) => consistency.begin(request, reply, done)
        : stale && ((_request, reply, done) => stale.begin(reply, done)),
      'turn of a search': operation.isSearch ? (request, reply, done) => turns.begin(request, reply, done) : null,
    });
    const isDelayed = consistency !== undefined || events.onSend !== null;
    const onSend = hooksOf('onSend', 'operations', {
      'end of the handler': isDelayed || operation.isSearch ? endBeforeSending(deadline, turns) : null,
      'shown in read models': consistency ? waitBeforeSending(consistency, operation) : null,
      'security event': events.onSend,
    });
    // Fastify's own hook of a HEAD route comes last: it drops the body.
    if (onSend.length > 0) route.onSend = [...onSend, ...(route.onSend ? [route.onSend].flat() : [])];
    route.onResponse = hooksOf('onResponse', 'operations', {
      'end of the time, denied request'(request, reply, done) {
        deadline.end(request);
        events.onResponse.call(this, request, reply, done);
      },
    });
    const { success } = operation;
    const isStream = success.binary !== undefined || success.events !== undefined || success.download !== undefined;
    if (isDelayed || isStream) route.handler = untilSent(route.handler);
  });
};

/**
 * Handlers send their answers by the reply. A stream, or an answer that an `onSend` hook delays, is sent after its handler has
 * ended. For such an answer the result is the reply: Fastify then waits, and does not send another.
 */
const untilSent = (handler: RouteHandlerMethod): RouteHandlerMethod =>
  async function (request, reply) {
    await handler.call(this, request, reply);
    return reply;
  };

/** Two steps in one hook: each hook of its own would take one per cent of the time of reading a pet. */
const validateAndBegin = (operation: OperationRecord, deadline: Deadline): preHandlerHookHandler => {
  const read = compileRequestReader(operation);
  return (request, reply, done) => {
    const problem = read(request, request.call);
    if (problem) return done(problem);
    deadline.begin(request, reply);
    done();
  };
};

const endBeforeSending =
  (deadline: Deadline, turns: SearchTurns): onSendHookHandler =>
  (request, _reply, payload, done) => {
    deadline.end(request);
    turns.end(request);
    done(null, payload);
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
  (consistency: Consistency, operation: OperationRecord) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes): void => {
    const isWrite = reply.statusCode < 300 && reply.statusCode !== 202 && !isRead(operation);
    const waiting = consistency.beforeSending(request, reply, isWrite);
    if (waiting) waiting.then(() => done(null, payload), done);
    else done(null, payload);
  };
