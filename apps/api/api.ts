import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { OAuthClients } from '../../libs/application/oauth/clients.js';
import { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import type { Settings } from '../../libs/settings/settings.js';
import { CONSOLE_CLIENT_ID, type IdTokenReader, type TokenSigner, type TokenVerifier } from '../../libs/ports/access-token.port.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Ids } from '../../libs/eventsourcing/ports/ids.port.js';
import type { Tracing } from '../../libs/eventsourcing/ports/tracing.port.js';
import type { Metrics } from '../../libs/ports/metrics.port.js';
import type { RateLimitCounters } from '../../libs/ports/rate-limit-counters.port.js';
import { ApiModule } from './api.module.js';
import { topicSettingsOf } from './describe/asyncapi/topics.js';
import { sendNotFoundPage } from './describe/pages/not-found-page.js';
import { untilStop, type ReadinessCheck } from './health/readiness.js';
import { ApiAdapter } from './http/nest/adapter.js';
import { bodyReader, type ReadBody } from './http/bodies/bodies.js';
import { MAX_UPLOAD_BYTES, readImageUploads } from './http/bodies/image-uploads.js';
import { readJsonBodies } from './http/bodies/json-body.js';
import { nestLogger } from './http/nest/logging.js';
import { createPerimeter } from './http/pipeline/perimeter.js';
import { createGeneralHeaders, requestIds } from './http/pipeline/general-headers.js';
import { normalizeUrl } from './http/pipeline/request-path.js';
import type { StaleReads } from './http/consistency/stale-reads.js';
import type { Consistency } from './http/consistency/consistency.js';
import { hooksOf } from './http/request-steps.js';
import { createProblemSender, type ProblemSender } from './http/problems/problem-sender.js';
import { ProblemFilter } from './http/nest/problem.filter.js';
import { createPublicAddress, type PublicAddress } from './http/public-address.js';
import { createLimiters } from './http/admission/request-limits.js';
import { countRequests } from './http/pipeline/request-metrics.js';
import { traceRequests } from './http/pipeline/request-spans.js';
import { createRequestLog, type RequestLog } from './http/pipeline/request-log.js';
import { createEventRecorder, securityEvents, type RecordEvent } from './http/pipeline/security-events.js';
import { createRoutes, type Routes } from './http/pipeline/routes.js';
import { HardenedServers } from './http/hardening/server.js';
import { LIMITS } from './limits.js';
import { ClientOrigins } from './oauth/provider/client-origins.js';
import { lazyAuthorizationServer } from './oauth/lazy-authorization-server.js';
import type { OAuthRouteDependencies } from './oauth/authorization-server.js';
import { addOAuthRoutes } from './oauth/oauth-routes.js';
import { addConsoleLink, type GivenLinks } from './sign-in/console-link-route.js';
import { createFailedAttempts, type FailedAttempts } from './sign-in/failed-attempts.js';
import { prepareRoutes } from './operation-routes.js';

/** The dependencies of the HTTP interface. */
export type ApiOptions = {
  readonly settings: Settings;
  /** The Nest module that exports the command and query buses of the application layer. */
  readonly module: DynamicModule;
  readonly tokens: TokenVerifier & TokenSigner & IdTokenReader;
  /** The checks of `/health/ready` (contract 25.1). */
  readonly health: readonly ReadinessCheck[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * Lets clients read their own writes (contract 10.2). The distributed profile sets it, because its read models lag behind
   * the log.
   */
  readonly consistency?: Consistency;
  /** Says in responses that they show a paused read model. `consistency` does that, too, so only the embedded profile sets it. */
  readonly stale?: StaleReads;
  /** Rate limit counters that several processes share (contract 11.4). Default: this process counts alone. */
  readonly counters?: RateLimitCounters;
  /** Counts responses. Default: responses are not counted. */
  readonly metrics?: Pick<Metrics, 'requestServed'>;
  /** Starts a trace for each request. Default: requests are not traced. */
  readonly tracing?: Tracing;
  /** The shell command that creates an access token. The landing page shows it. Null if no command can create a token. */
  readonly tokenCommand?: string | null;
  /** The one-time link of this process. Default: the process gives none (contract 43.11). */
  readonly givenLinks?: GivenLinks | undefined;
  /** Values that replace some of `LIMITS`. Only tests set them: with the defaults, a test of a time limit would take 30 s. */
  readonly limits?: Partial<typeof LIMITS>;
};

/** The default for `tokenCommand` (contract 5.3). */
const DEFAULT_TOKEN_COMMAND = 'petstore token --scope "write:pets read:pets"';

/** Creates the HTTP interface. Call `init()` or `listen()` on the result. */
export const createApi = async (options: ApiOptions): Promise<NestFastifyApplication> => {
  const { settings, logger } = options;
  const address = createPublicAddress(settings);
  const routes = createRoutes();
  const requestLog = createRequestLog(logger, options.clock);
  const problems = createProblemSender(address, routes, requestLog, sendNotFoundPage);
  const servers = createServers(options, address);
  const server = createServer(options, servers, problems);
  await prepareServer(server, options, { address, routes, requestLog, servers });
  const limiters = createLimiters(settings.rateLimit, options.clock, options.counters);
  server.addHook('onClose', async () => limiters.stop());
  const failedAttempts = createFailedAttempts(limiters);
  const health = options.health.map((check) => untilStop(check, () => servers.isStopping()));
  const app = await createApp(server, address, requestLog, failedAttempts, { ...options, health });
  const recordEvent = createEventRecorder(app.get(CommandBus), logger);
  const security = securityEvents(server, recordEvent, options.clock);
  prepareRoutes(server, options, { routes, problems, limiters, security });
  // An outside issuer replaces the authorization server (contract 33.1).
  if (!settings.outsideIssuer) addOAuth(server, app, address, { limiters, failedAttempts }, recordEvent, options);
  const { givenLinks, tokens: signer, clock } = options;
  const common = { host: settings.host, address, signer, clock, recordEvent };
  if (givenLinks) addConsoleLink(server, { ...common, ...givenLinks, limiter: limiters.common, limits: { ...LIMITS, ...options.limits } });
  return app.useGlobalFilters(new ProblemFilter(problems));
};

/** Creates the Nest application, which adds its routes to the server. */
const createApp = (
  server: FastifyInstance,
  address: PublicAddress,
  requestLog: RequestLog,
  failedAttempts: FailedAttempts,
  options: ApiOptions,
): Promise<NestFastifyApplication> => {
  const { settings, module: application, health, logger, tokens, tokenCommand = DEFAULT_TOKEN_COMMAND } = options;
  const topics = topicSettingsOf(settings);
  const { webhookRetryDelays: retryDelays, orderHoldMilliseconds: orderHold } = settings;
  const outsideIssuer = settings.outsideIssuer?.issuer ?? null;
  const {
    consoleClientId = '',
    scopeClaim = 'scope',
    tenantClaim = 'tenant',
  } = settings.outsideIssuer ?? { consoleClientId: CONSOLE_CLIENT_ID };
  const consoleTerms = { clientId: consoleClientId, scopeClaim, tenantClaim };
  return NestFactory.create<NestFastifyApplication>(
    ApiModule.on({
      application,
      address,
      health,
      topics,
      retryDelays,
      orderHold,
      signer: tokens,
      verifier: tokens,
      outsideIssuer,
      consoleTerms,
      failedAttempts,
      requestLog,
      tokenCommand,
    }),
    new ApiAdapter(server),
    { bodyParser: false, abortOnError: false, logger: nestLogger(logger) },
  );
};

/**
 * Adds the routes of the authorization server (contract 32.1). The first request to one of them opens the authorization
 * server. It cannot open earlier, because the public address is known only when the HTTP server listens.
 */
const addOAuth = (
  server: FastifyInstance,
  app: NestFastifyApplication,
  address: PublicAddress,
  limits: Pick<OAuthRouteDependencies, 'limiters' | 'failedAttempts'>,
  recordEvent: RecordEvent,
  { settings: { corsOrigins, classicImplicitFlow: isImplicitOn }, tokens, ids, logger, limits: overrides }: ApiOptions,
): void =>
  addOAuthRoutes(server, {
    open: lazyAuthorizationServer({ app, address, tokens, ids, logger, recordEvent, isImplicitOn }),
    address,
    isImplicitOn,
    tokens,
    readBody: bodyReader({ ...LIMITS, ...overrides }),
    ...limits,
    origins: new ClientOrigins(() => new OAuthClients(app.get<Documents>(Documents)).redirectUris(), corsOrigins),
  });

const createServers = ({ settings, ids, logger, limits }: ApiOptions, address: PublicAddress): HardenedServers => {
  const [idOf, headersOf] = [requestIds(ids), createGeneralHeaders(settings)];
  const raw = { address, headersOf: (request: IncomingMessage | null) => headersOf(request ? idOf(request) : ids.next()) };
  return new HardenedServers({ limits: { ...LIMITS, ...limits }, trustedProxies: settings.trustedProxies, raw, logger });
};

const createServer = (
  { settings, ids, limits: overrides }: ApiOptions,
  servers: HardenedServers,
  problems: ProblemSender,
): FastifyInstance => {
  const limits = { ...LIMITS, ...overrides };
  const server = fastify({
    bodyLimit: limits.bodyBytes,
    serverFactory: servers.factory,
    rewriteUrl: ({ url = '/' }) => normalizeUrl(url),
    // The default of 100 would make the router reject longer ids. No path is longer than `headerBytes`, so this router accepts
    // every id. Validation rejects the invalid ones, with an error that names the parameter.
    routerOptions: { maxParamLength: limits.headerBytes },
    // Only these proxies may set X-Forwarded-For (contract 11.2).
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    // While the service stops, it still answers the requests that it has accepted (contract 26.4).
    return503OnClosing: false,
    genReqId: requestIds(ids),
    frameworkErrors: (error, request, reply) => problems.send(error, request, reply),
    // The hardened servers respond to requests that Node cannot parse, so this handler does nothing.
    clientErrorHandler: () => undefined,
  });
  server.decorate('drain', (milliseconds: number) => servers.leave(milliseconds));
  return server.addHook('preClose', () => servers.stop());
};

const uploadReader = (limits: typeof LIMITS): ReadBody =>
  bodyReader({
    bodyBytes: MAX_UPLOAD_BYTES,
    tooLarge: 'The file is larger than 5 MiB.',
    bodiesBytes: limits.uploadsBytes,
    inTurns: true,
    requestMilliseconds: limits.uploadMilliseconds,
    leastRate: { bytesPerSecond: limits.uploadBytesPerSecond, graceMilliseconds: limits.uploadGraceMilliseconds },
    checkMilliseconds: limits.checkMilliseconds,
  });

/** What the hooks of all requests share. */
type Prepared = {
  readonly address: PublicAddress;
  readonly routes: Routes;
  readonly requestLog: RequestLog;
  readonly servers: HardenedServers;
};

/** Configures the server for all requests, including those without a route. */
const prepareServer = async (
  server: FastifyInstance,
  { settings, logger, limits, metrics, tracing }: ApiOptions,
  { address, routes, requestLog, servers }: Prepared,
): Promise<void> => {
  // The body of a DELETE is ignored (contract 2.2).
  server.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  server.addHttpMethod('QUERY', { hasBody: true, overrideExisting: true });
  readJsonBodies(server, bodyReader({ ...LIMITS, ...limits }));
  readImageUploads(server, uploadReader({ ...LIMITS, ...limits }));
  server.decorate('publicAddress', address).decorateRequest('call').decorateRequest('span').decorateRequest('continueTrace');
  const trace = tracing ? traceRequests(tracing, settings) : null;
  server.addHook('onListen', (done) => {
    const [listening] = server.addresses();
    if (typeof listening === 'object') address.setPort(listening.port);
    done();
  });
  const begins = { trace: trace?.begin ?? null, perimeter: createPerimeter(settings, address, routes, servers) };
  for (const hook of hooksOf('onRequest', 'all', begins)) server.addHook('onRequest', hook);
  const ends = {
    // If the logger discards even errors, the request log writes nothing, so it needs no hook.
    'request log': logger.isLevelEnabled('error') ? requestLog.onResponse : null,
    metrics: metrics ? countRequests(metrics) : null,
    'end of the trace': trace?.end ?? null,
  };
  for (const hook of hooksOf('onResponse', 'all', ends)) server.addHook('onResponse', hook);
};
