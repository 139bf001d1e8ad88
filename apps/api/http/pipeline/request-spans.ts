import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, TraceStart, Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import { methodOf, routeOf } from './request-names.js';

/** The prefix of the paths of health checks. Health checks are not traced: they come every few seconds and change nothing. */
const PROBES = '/health/';

/**
 * Starts a trace for every request except health checks (contract 25.8). The trace does not continue the caller's trace in
 * the header `traceparent`: it only links to that trace. Otherwise, the caller could choose which traces are recorded, and
 * the trace ids in events and messages.
 */
export const traceRequests = (server: FastifyInstance, tracing: Pick<Tracing, 'startTrace'>): void => {
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.url.startsWith(PROBES)) request.span = tracing.startTrace(() => describe(request)) ?? undefined;
    done();
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    request.span?.end({ attributes: { 'http.response.status_code': statusCode }, failed: statusCode >= 500 });
    done();
  });
};

const describe = (request: FastifyRequest): TraceStart => {
  const [method, route] = [methodOf(request), routeOf(request)];
  const { traceparent: linked } = request.headers;
  return {
    name: `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route },
    ...(typeof linked === 'string' && { linked }),
  };
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request. Undefined if the request is not traced. */
    span: Span | undefined;
  }
}
