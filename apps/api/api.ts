import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, type DoneFuncWithErrOrRes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DEFAULTS, type Settings } from '../../libs/settings/settings.js';
import type { TokenVerifier } from '../../libs/ports/access-token.port.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Ids } from '../../libs/eventsourcing/ports/ids.port.js';
import type { RateLimitCounters } from '../../libs/ports/rate-limit-counters.port.js';
import { ApiModule } from './api.module.js';
import { sendNotFoundPage } from './describe/pages/not-found-page.js';
import type { ReadinessCheck } from './health/readiness.js';
import { ApiAdapter } from './http/nest/adapter.js';
import { createAdmission } from './http/admission/admission.js';
import { bodyReader } from './http/server/bodies.js';
import { refuseSharedEnhancers } from './http/nest/enhancers.js';
import { readJsonBodies } from './http/server/json-body.js';
import { createDeadline } from './http/pipeline/handler-deadline.js';
import { nestLogger } from './http/nest/logging.js';
import { operationHandlers, type OperationHandler } from './http/nest/operation.decorator.js';
import type { OperationRecord } from './http/operation.js';
import { createPerimeter } from './http/pipeline/perimeter.js';
import type { Consistency } from './http/consistency/consistency.js';
import { corsOptions } from './http/cors.js';
import { createProblemAnswers, unmatched, type ProblemAnswers } from './http/problems/problem-answers.js';
import { ProblemFilter } from './http/nest/problem.filter.js';
import { createPublicAddress, type PublicAddress } from './http/public-address.js';
import { createRateLimiter } from './http/admission/rate-limit.js';
import { compileReading } from './http/pipeline/reading.js';
import { createRequestLog, type RequestLog } from './http/pipeline/request-log.js';
import { pathOf } from './http/pipeline/request-path.js';
import { createRoutes, shadowedRoutes, type Routes } from './http/pipeline/routes.js';
import { serverFactory } from './http/server/server.js';
import { OPERATION_CONTROLLERS, OPERATIONS } from './operations.js';

/** All that the HTTP side needs of the world. */
export type ApiOptions = {
  readonly settings: Settings;
  /** Exports the command and query buses, handlers behind them. */
  readonly module: DynamicModule;
  readonly tokens: TokenVerifier;
  /** What must work for the service to be ready. */
  readonly health: readonly ReadinessCheck[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where read models follow the log at a distance. */
  readonly consistency?: Consistency;
  /** Where other processes count the same callers' requests. */
  readonly counters?: RateLimitCounters;
  /** The shell command that makes a token, for the landing page. */
  readonly tokenCommand?: string;
  /** Replaced by tests, which have no half minute to wait. */
  readonly limits?: Partial<typeof LIMITS>;
};

/** "Limits: JSON body 1 MiB …; header, body and handler timeouts are all set." */
const LIMITS = {
  bodyBytes: 1_048_576,
  /** Bytes of bodies that may be kept in this process while they are on their way. */
  bodiesBytes: 64 * 1_048_576,
  headerBytes: 16_384,
  headersMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  handlerMilliseconds: 30_000,
  keepAliveMilliseconds: 72_000,
  /** So long nothing may come or go: longer than a handler may take, and than a client that reads needs. */
  connectionMilliseconds: 45_000,
  /** Node looks for requests past their time this often; its own half minute would make 10 s of headers 40. */
  lookMilliseconds: 2_000,
  /** Requests of one connection that wait for those before them. */
  waitingRequests: 250,
  /** Memory of all requests that wait, of all connections. */
  waitingBytes: 64 * 1_048_576,
  /** Bytes of answers that may wait in this process for clients to read them. */
  unreadBytes: 64 * 1_048_576,
  unreadLookMilliseconds: 250,
};

/** The command under the program's own name (contract 5.3). */
const TOKEN_COMMAND = 'petstore token --scope "write:pets read:pets"';

/** The HTTP interface on an application; call `init()` or `listen()` on it. */
export const createApi = async (options: ApiOptions): Promise<NestFastifyApplication> => {
  const { settings, module, health, logger, tokenCommand = TOKEN_COMMAND } = options;
  const address = createPublicAddress(settings);
  const routes = createRoutes();
  const requestLog = createRequestLog(logger, options.clock);
  const answers = createProblemAnswers(address, routes, requestLog, sendNotFoundPage);
  const server = createServer(options, address, answers);
  await prepareServer(server, options, address, routes, requestLog);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.on({
      application: module,
      address,
      health,
      topicReplicas: settings.servers?.kafkaReplication ?? DEFAULTS.kafkaReplication,
      retryDelays: settings.webhookRetryDelays,
      tokenCommand,
    }),
    new ApiAdapter(server),
    {
      bodyParser: false,
      abortOnError: false,
      logger: nestLogger(logger),
    },
  );
  refuseSharedEnhancers(app);
  // Once more when all who prepare the application have had their turn.
  server.addHook('onReady', async () => refuseSharedEnhancers(app));
  // Nest registers routes when it is initialised, which comes later.
  prepareRoutes(
    server,
    options,
    routes,
    answers,
    operationHandlers(OPERATION_CONTROLLERS, (controller) => app.get<object>(controller)),
  );
  return app.useGlobalFilters(new ProblemFilter(answers));
};

const createServer = (
  { settings, ids, logger, limits: replaced }: ApiOptions,
  address: PublicAddress,
  answers: ProblemAnswers,
): FastifyInstance => {
  const limits = { ...LIMITS, ...replaced };
  return fastify({
    bodyLimit: limits.bodyBytes,
    serverFactory: serverFactory(limits, address, logger),
    // A path id of any length is looked at, in order to say what is wrong with it; headers are limited anyway.
    routerOptions: { maxParamLength: limits.headerBytes },
    // "X-Forwarded-* is believed from nobody else"
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    // While it stops it answers what it accepted.
    return503OnClosing: false,
    genReqId: requestIds(ids),
    frameworkErrors: (error, request, reply) => answers.send(error, request, reply),
    // The servers have their own.
    clientErrorHandler: () => undefined,
  });
};

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own id where it is sane, so that it can find its request in both logs; else one of ours. */
const requestIds =
  (ids: Ids) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : ids.next();
  };

/** What every request passes, whatever it asks for. */
const prepareServer = async (
  server: FastifyInstance,
  { settings, logger, limits }: ApiOptions,
  address: PublicAddress,
  routes: Routes,
  requestLog: RequestLog,
): Promise<void> => {
  // "Body on GET/DELETE ignored": what has no meaning is not read.
  server.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  server.addHttpMethod('QUERY', { hasBody: true, overrideExisting: true });
  readJsonBodies(server, bodyReader({ ...LIMITS, ...limits }));
  server.decorateRequest('call');
  server.addHook('onListen', (done) => {
    const [listening] = server.addresses();
    if (typeof listening === 'object') address.listening(listening.port);
    done();
  });
  server.addHook('onRequest', createPerimeter(settings, address, routes));
  // 5xx, the rarest, are errors; all else is at info or below.
  if (logger.isLevelEnabled('error'))
    server.addHook('onResponse', (request, reply, done) => {
      requestLog.answered(request, reply);
      done();
    });
  if (settings.corsOrigins.length > 0) await server.register(cors, corsOptions(settings.corsOrigins));
};

/** What an operation needs is compiled together with its route, once. */
const prepareRoutes = (
  server: FastifyInstance,
  options: ApiOptions,
  routes: Routes,
  answers: ProblemAnswers,
  handlers: ReadonlyMap<OperationRecord, OperationHandler>,
): void => {
  const { settings, tokens, clock, consistency, counters } = options;
  const { handlerMilliseconds, lookMilliseconds } = { ...LIMITS, ...options.limits };
  const inTime = createDeadline(server, handlerMilliseconds, lookMilliseconds, (problem, request, reply) =>
    answers.send(problem, request, reply),
  );
  const limiter = settings.rateLimit === 'off' ? null : createRateLimiter(settings.rateLimit, clock, counters);
  if (limiter)
    server.addHook('onClose', (_, done) => {
      limiter.stop();
      done();
    });
  const ports = { tokens, policy: settings.accessPolicy, limiter };
  for (const route of shadowedRoutes(Object.values(OPERATIONS)))
    server.route({ ...route, handler: notTaken(routes), onRequest: notTaken(routes) });
  server.addHook('onRoute', (route) => {
    routes.learn(route);
    const operation = route.config?.operation;
    if (!operation) return;
    const handler = handlers.get(operation);
    if (!handler) throw new Error(`the controller of ${operation.id} is in none of the modules in RESOURCES of apps/api/operations.ts`);
    const read = compileReading(operation);
    route.onRequest = createAdmission(operation.access, ports);
    route.preHandler = (request, _reply, done) => done(read(request, request.call) ?? undefined);
    if (!consistency) {
      route.handler = inTime(handler);
      return;
    }
    const handle = inTime(consistency.around(handler));
    // An answer that waits before it is sent has to be waited for: without it Fastify would send another.
    route.handler = (request, reply) => handle(request, reply).then(() => reply);
    route.onSend = sendingAfter(consistency);
  });
};

/** Answers 405 before the body is read. */
const notTaken = (routes: Routes) => async (request: FastifyRequest) => {
  throw unmatched(pathOf(request), request.method, routes);
};

/** "A write's answer already waits … for its own read model." */
const sendingAfter =
  (consistency: Consistency) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes): void => {
    const waiting = consistency.beforeSending(request, reply);
    if (waiting) waiting.then(() => done(null, payload), done);
    else done(null, payload);
  };
