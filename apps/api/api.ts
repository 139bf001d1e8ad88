import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, type DoneFuncWithErrOrRes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DEFAULTS, type Settings } from '../../libs/settings/settings.js';
import type { TokenSigner, TokenVerifier } from '../../libs/ports/access-token.port.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Ids } from '../../libs/eventsourcing/ports/ids.port.js';
import type { RateLimitCounters } from '../../libs/ports/rate-limit-counters.port.js';
import { ApiModule } from './api.module.js';
import type { TopicSettings } from './describe/asyncapi/topics.js';
import { sendNotFoundPage } from './describe/pages/not-found-page.js';
import type { ReadinessCheck } from './health/readiness.js';
import { ApiAdapter } from './http/nest/adapter.js';
import { createAdmission } from './http/admission/admission.js';
import { bodyReader } from './http/server/bodies.js';
import { rejectSharedEnhancers } from './http/nest/enhancers.js';
import { readJsonBodies } from './http/server/json-body.js';
import { createDeadline } from './http/pipeline/handler-deadline.js';
import { nestLogger } from './http/nest/logging.js';
import { operationHandlers, type OperationHandler } from './http/nest/operation.decorator.js';
import type { OperationRecord } from './http/operation.js';
import { createPerimeter } from './http/pipeline/perimeter.js';
import type { Consistency } from './http/consistency/consistency.js';
import { corsOptions } from './http/cors.js';
import { createProblemSender, unmatchedProblem, type ProblemSender } from './http/problems/problem-sender.js';
import { ProblemFilter } from './http/nest/problem.filter.js';
import { createPublicAddress, type PublicAddress } from './http/public-address.js';
import { createLimiters } from './http/admission/limiters.js';
import { compileRequestReader } from './http/pipeline/request-reader.js';
import { createRequestLog, type RequestLog } from './http/pipeline/request-log.js';
import { pathOf } from './http/pipeline/request-path.js';
import { createRoutes, findShadowedRoutes, type Routes } from './http/pipeline/routes.js';
import { serverFactory } from './http/server/server.js';
import { OPERATION_CONTROLLERS, OPERATIONS } from './operations.js';

/** The dependencies of the HTTP interface. */
export type ApiOptions = {
  readonly settings: Settings;
  /** The module of the application layer, which exports the command and query buses. */
  readonly module: DynamicModule;
  readonly tokens: TokenVerifier & TokenSigner;
  /** The checks of `/health/ready` (contract 25.1). */
  readonly health: readonly ReadinessCheck[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Set if read models lag behind the log, as in the distributed profile. */
  readonly consistency?: Consistency;
  /** Rate limit counters that several processes share (contract 11.4). */
  readonly counters?: RateLimitCounters;
  /** The shell command that creates a token, for the landing page. */
  readonly tokenCommand?: string;
  /** Overrides of the default limits, so that tests need not wait half a minute. */
  readonly limits?: Partial<typeof LIMITS>;
};

/** Limits of contract 26.1 and 26.2. */
const LIMITS = {
  bodyBytes: 1_048_576,
  /** Bytes of all incomplete request bodies in this process. */
  bodiesBytes: 64 * 1_048_576,
  headerBytes: 16_384,
  headersMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  handlerMilliseconds: 30_000,
  keepAliveMilliseconds: 72_000,
  /** Maximum time without traffic during a request. It exceeds `handlerMilliseconds`. */
  connectionMilliseconds: 45_000,
  /** How often Node checks for overdue requests. With Node's default of 30 s, headers could take 40 s. */
  checkMilliseconds: 2_000,
  /** Maximum number of waiting requests on one connection. */
  waitingRequests: 250,
  /** Memory for the waiting requests of all connections. */
  waitingBytes: 64 * 1_048_576,
  /** Bytes of all responses in this process that clients have not read. */
  unreadBytes: 64 * 1_048_576,
  unreadCheckMilliseconds: 250,
};

/** The default for `tokenCommand` (contract 5.3). */
const TOKEN_COMMAND = 'petstore token --scope "write:pets read:pets"';

/** Returns the topic settings for the documents. The embedded profile has no topics and shows defaults. */
const topicSettingsOf = ({ servers }: Settings): TopicSettings => ({
  namespace: servers?.namespace ?? DEFAULTS.namespace,
  replicas: servers?.kafkaReplication ?? DEFAULTS.kafkaReplication,
});

/** Creates the HTTP interface. Call `init()` or `listen()` on the result. */
export const createApi = async (options: ApiOptions): Promise<NestFastifyApplication> => {
  const { settings, module, health, logger, tokenCommand = TOKEN_COMMAND } = options;
  const address = createPublicAddress(settings);
  const routes = createRoutes();
  const requestLog = createRequestLog(logger, options.clock);
  const problems = createProblemSender(address, routes, requestLog, sendNotFoundPage);
  const server = createServer(options, address, problems);
  await prepareServer(server, options, address, routes, requestLog);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.on({
      application: module,
      address,
      health,
      topics: topicSettingsOf(settings),
      retryDelays: settings.webhookRetryDelays,
      signer: options.tokens,
      clock: options.clock,
      tokenCommand,
    }),
    new ApiAdapter(server),
    {
      bodyParser: false,
      abortOnError: false,
      logger: nestLogger(logger),
    },
  );
  rejectSharedEnhancers(app);
  // Checks again before the server listens, because enhancers can still be added until then.
  server.addHook('onReady', async () => rejectSharedEnhancers(app));
  // Adds hooks for the routes, which Nest registers later, in `init()`.
  prepareRoutes(
    server,
    options,
    routes,
    problems,
    operationHandlers(OPERATION_CONTROLLERS, (controller) => app.get<object>(controller)),
  );
  return app.useGlobalFilters(new ProblemFilter(problems));
};

const createServer = (
  { settings, ids, logger, limits: overrides }: ApiOptions,
  address: PublicAddress,
  problems: ProblemSender,
): FastifyInstance => {
  const limits = { ...LIMITS, ...overrides };
  return fastify({
    bodyLimit: limits.bodyBytes,
    serverFactory: serverFactory(limits, address, logger),
    // The router accepts ids of any length. Validation rejects long ids with a precise error.
    routerOptions: { maxParamLength: limits.headerBytes },
    // Only these proxies may set X-Forwarded-For (contract 11.2).
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    // While the service stops, it still answers the requests that it has accepted (contract 26.4).
    return503OnClosing: false,
    genReqId: requestIds(ids),
    frameworkErrors: (error, request, reply) => problems.send(error, request, reply),
    // The server of `serverFactory` handles client errors instead.
    clientErrorHandler: () => undefined,
  });
};

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns a function that returns the id of a request: a valid X-Request-Id (contract 2.6), or a new id. */
const requestIds =
  (ids: Ids) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : ids.next();
  };

/** Configures the server for all requests, including those without a route. */
const prepareServer = async (
  server: FastifyInstance,
  { settings, logger, limits }: ApiOptions,
  address: PublicAddress,
  routes: Routes,
  requestLog: RequestLog,
): Promise<void> => {
  // The body of a DELETE is ignored (contract 2.2).
  server.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  server.addHttpMethod('QUERY', { hasBody: true, overrideExisting: true });
  readJsonBodies(server, bodyReader({ ...LIMITS, ...limits }));
  server.decorateRequest('call');
  server.addHook('onListen', (done) => {
    const [listening] = server.addresses();
    if (typeof listening === 'object') address.setPort(listening.port);
    done();
  });
  server.addHook('onRequest', createPerimeter(settings, address, routes));
  // The request log writes nothing if even the level error is off.
  if (logger.isLevelEnabled('error'))
    server.addHook('onResponse', (request, reply, done) => {
      requestLog.logResponse(request, reply);
      done();
    });
  if (settings.corsOrigins.length > 0) await server.register(cors, corsOptions(settings.corsOrigins));
};

/** Adds a hook that sets the handler, admission and validation of an operation when Nest adds its route. */
const prepareRoutes = (
  server: FastifyInstance,
  options: ApiOptions,
  routes: Routes,
  problems: ProblemSender,
  handlers: ReadonlyMap<OperationRecord, OperationHandler>,
): void => {
  const { settings, tokens, clock, consistency, counters } = options;
  const { handlerMilliseconds, checkMilliseconds } = { ...LIMITS, ...options.limits };
  const limitTime = createDeadline(server, handlerMilliseconds, checkMilliseconds, (problem, request, reply) =>
    problems.send(problem, request, reply),
  );
  const limiters = createLimiters(settings.rateLimit, clock, counters);
  server.addHook('onClose', (_, done) => {
    limiters.stop();
    done();
  });
  const { accessPolicy: policy } = settings;
  for (const route of findShadowedRoutes(Object.values(OPERATIONS)))
    server.route({ ...route, handler: throwUnmatched(routes), onRequest: throwUnmatched(routes) });
  server.addHook('onRoute', (route) => {
    routes.add(route);
    const operation = route.config?.operation;
    if (!operation) return;
    const handler = handlers.get(operation);
    if (!handler) throw new Error(`no module in OPERATION_MODULES of apps/api/operations.ts has the controller of ${operation.id}`);
    const read = compileRequestReader(operation);
    route.onRequest = createAdmission(operation.access, { tokens, policy, limiter: limiters.of(operation) });
    route.preHandler = (request, _reply, done) => done(read(request, request.call) ?? undefined);
    if (!consistency) {
      route.handler = limitTime(handler);
      return;
    }
    const handle = limitTime(consistency.wrapHandler(handler));
    // Returning the reply makes Fastify wait for it. Otherwise Fastify would send a second response.
    route.handler = (request, reply) => handle(request, reply).then(() => reply);
    route.onSend = waitBeforeSending(consistency);
  });
};

/** Returns a hook that rejects a request with 404 or 405 before its body is read. */
const throwUnmatched = (routes: Routes) => async (request: FastifyRequest) => {
  throw unmatchedProblem(pathOf(request), request.method, routes);
};

/**
 * Returns a hook that delays the response to a write until its read model contains the write (contract 10.2).
 */
const waitBeforeSending =
  (consistency: Consistency) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes): void => {
    const waiting = consistency.beforeSending(request, reply);
    if (waiting) waiting.then(() => done(null, payload), done);
    else done(null, payload);
  };
