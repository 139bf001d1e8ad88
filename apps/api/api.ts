import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Settings } from '../../libs/application/settings.js';
import type { TokenVerifier } from '../../libs/eventsourcing/access-token.port.js';
import type { Clock } from '../../libs/eventsourcing/clock.port.js';
import type { Ids } from '../../libs/eventsourcing/ids.port.js';
import { ApiModule } from './api.module.js';
import type { ReadinessCheck } from './health/readiness.js';
import { createAdmission } from './http/admission.js';
import { answerClientErrors } from './http/client-errors.js';
import { readJsonBodies } from './http/json-body.js';
import { logRequests, nestLogger } from './http/logging.js';
import { createPerimeter } from './http/perimeter.js';
import { createProblemAnswers, type ProblemAnswers } from './http/problem-answers.js';
import { ProblemFilter } from './http/problem.filter.js';
import { createPublicAddress, type PublicAddress } from './http/public-address.js';
import { createRateLimiter } from './http/rate-limit.js';
import { compileReading } from './http/reading.js';
import { createRoutes, type Routes } from './http/routes.js';
import { OPERATIONS } from './operations.js';

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
};

/** "Limits: JSON body 1 MiB …; header, body and handler timeouts are all set." */
const LIMITS = {
  bodyBytes: 1_048_576,
  headerBytes: 16_384,
  headersMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  handlerMilliseconds: 30_000,
  keepAliveMilliseconds: 72_000,
  connectionMilliseconds: 120_000,
};

/** The HTTP interface on an application; call `init()` or `listen()` on it. */
export const createApi = async (options: ApiOptions): Promise<NestFastifyApplication> => {
  const { settings, module, health, logger } = options;
  const address = createPublicAddress(settings);
  const routes = createRoutes();
  const answers = createProblemAnswers(address, routes, logger);
  const adapter = createAdapter(options, address, answers);
  await prepare(adapter.getInstance() as unknown as FastifyInstance, options, address, routes);
  const parts = { application: module, address, health };
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.on(parts), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(logger),
  });
  return app.useGlobalFilters(new ProblemFilter(answers));
};

const createAdapter = ({ settings, ids }: ApiOptions, address: PublicAddress, answers: ProblemAnswers): FastifyAdapter =>
  new FastifyAdapter({
    // Nothing here is Express middleware.
    skipMiddie: true,
    multipart: false,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestMilliseconds,
    handlerTimeout: LIMITS.handlerMilliseconds,
    keepAliveTimeout: LIMITS.keepAliveMilliseconds,
    connectionTimeout: LIMITS.connectionMilliseconds,
    http: { maxHeaderSize: LIMITS.headerBytes, headersTimeout: LIMITS.headersMilliseconds },
    // A path id of any length is looked at, in order to say what is wrong with it; headers are limited anyway.
    routerOptions: { maxParamLength: LIMITS.headerBytes },
    // "X-Forwarded-* is believed from nobody else"
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    // While it stops it answers what it accepted.
    return503OnClosing: false,
    genReqId: requestIds(ids),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => answers.send(error, request, reply),
    clientErrorHandler: answerClientErrors(address),
  });

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own id where it is sane, so that it can find its request in both logs; else one of ours. */
const requestIds =
  (ids: Ids) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : ids.next();
  };

/** What every request passes is hung up before Nest registers routes; what an operation needs is compiled with its route. */
const prepare = async (fastify: FastifyInstance, options: ApiOptions, address: PublicAddress, routes: Routes): Promise<void> => {
  const { settings, tokens, clock, logger } = options;
  const limiter = settings.rateLimit === 'off' ? null : createRateLimiter(settings.rateLimit, clock);
  const ports = { tokens, policy: settings.accessPolicy, limiter };
  // "Body on GET/DELETE ignored": what has no meaning is not read.
  fastify.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  fastify.addHttpMethod('QUERY', { hasBody: true });
  readJsonBodies(fastify);
  fastify.decorateRequest('call');
  fastify.addHook('onListen', (done) => {
    const [listening] = fastify.addresses();
    if (typeof listening === 'object') address.listening(listening.port);
    done();
  });
  fastify.addHook('onRequest', createPerimeter(settings, address, routes));
  logRequests(fastify, logger);
  fastify.addHook('onRoute', (route) => {
    routes.learn(route);
    const id = route.config?.operation;
    if (id === undefined) return;
    const read = compileReading(OPERATIONS[id]);
    route.onRequest = createAdmission(id, ports);
    route.preHandler = (request, _reply, done) => done(read(request, request.call) ?? undefined);
  });
  if (settings.corsOrigins.length > 0) await fastify.register(cors, corsOptions(settings.corsOrigins));
};

const corsOptions = (origins: readonly string[]) => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'QUERY'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id', 'X-Tenant-ID'],
  exposedHeaders: [
    'ETag',
    'Idempotent-Replayed',
    'Location',
    'RateLimit',
    'RateLimit-Limit',
    'RateLimit-Policy',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'X-Request-Id',
  ],
  maxAge: 3600,
  strictPreflight: false,
});
