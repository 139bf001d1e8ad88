import type { FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { routeOf, sentPathOf } from './request-path.js';

/**
 * The maximum number of log lines per second about 5xx responses, and separately about 429 responses (contract 25.5).
 * Further responses with such a status are only counted.
 */
const MAX_LINES_PER_SECOND = 10;

export type RequestLog = {
  /** Logs the cause of a 5xx response. Call it once per failure. */
  logFailure(request: FastifyRequest, status: number, failure: unknown): void;
  /**
   * Logs a response. A 5xx other than 501 is logged at error, unless `logFailure` has logged it. A 429 and a successful
   * change are logged at info, and all other responses at debug.
   */
  readonly onResponse: onResponseHookHandler;
};

/** Creates the request log. It never logs headers, query strings or bodies, which may contain secrets. */
export const createRequestLog = (logger: Logger, clock: Pick<Clock, 'after'>): RequestLog => {
  const withinLimit = (kind: '429' | '5xx', level: 'info' | 'error') =>
    limitPerSecond(MAX_LINES_PER_SECOND, clock, (count) =>
      logger[level]({ status: kind, count }, 'further requests with this status were counted, but not logged'),
    );
  const mayLogFailure = withinLimit('5xx', 'error');
  const mayLog429 = withinLimit('429', 'info');
  const logged = new WeakSet<FastifyRequest>();
  const writeFailure = (request: FastifyRequest, details: object): void => {
    if (mayLogFailure()) logger.error({ ...details, ...detailsOf(request) }, 'a request failed');
  };
  return {
    logFailure(request, status, failure) {
      logged.add(request);
      writeFailure(request, { status, err: failure });
    },
    onResponse(request, reply, done) {
      const { statusCode: status } = reply;
      const response = () => ({ status, milliseconds: Math.round(reply.elapsedTime), ...detailsOf(request) });
      // A 501 is no failure: the request uses a transfer coding or a method that the service does not offer.
      if (status >= 500 && status !== 501) {
        if (!logged.has(request)) writeFailure(request, response());
      } else if (status === 429) {
        if (mayLog429()) logger.info(response(), 'request');
      } else if (status < 300 && hasChanged(request, reply)) logger.info(response(), 'request');
      else if (logger.isLevelEnabled('debug')) logger.debug(response(), 'request');
      done();
    },
  };
};

const detailsOf = (request: FastifyRequest) => {
  const { id: requestId, method, call } = request;
  const who = call ? { tenant: call.tenant, actor: call.caller?.subject ?? 'anonymous' } : {};
  const isPersonal = request.routeOptions.config.operation?.idForm === 'name';
  return { requestId, method, path: isPersonal ? routeOf(request) : sentPathOf(request), ...who };
};

const WRITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Returns whether a request changed something. A request with a replayed response changes nothing. */
const hasChanged = ({ method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean => {
  if (!WRITING_METHODS.has(method)) return false;
  return !routeOptions.config.operation?.readsOnly && !reply.hasHeader('idempotent-replayed');
};

/**
 * Returns a function that returns true for the first `most` calls of a second, and false for further calls. A second begins
 * with the first call after the previous second. At the end of a second with further calls, `onMore` gets their number.
 */
export const limitPerSecond = (most: number, clock: Pick<Clock, 'after'>, onMore: (count: number) => void): (() => boolean) => {
  let calls = 0;
  const endSecond = (): void => {
    const more = calls - most;
    calls = 0;
    if (more > 0) onMore(more);
  };
  return () => {
    if (calls === 0) clock.after(1_000, endSecond);
    return ++calls <= most;
  };
};
