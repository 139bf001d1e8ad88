import type { FastifyRequest, onRequestHookHandler, onResponseHookHandler } from 'fastify';
import type { Span, TraceStart, Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { rangeCheck } from '../admission/caller-network.js';
import { methodOf, routeOf } from './request-path.js';

/** The prefix of the paths of health checks. Health checks are not traced: they come every few seconds and change nothing. */
const PROBES = '/health/';

/** The hooks that start and end the span of a request. */
export type TraceHooks = { readonly begin: onRequestHookHandler; readonly end: onResponseHookHandler };

/**
 * Returns hooks that start a trace for every request except health checks (contract 25.8). The trace only links to the caller's trace in the header
 * `traceparent`. Otherwise, any caller could choose the trace ids in events and messages. With TRACE_INCOMING=continue, the trace
 * of a trusted caller is continued.
 */
export const traceRequests = (
  tracing: Tracing,
  { traceIncoming, trustedProxies }: Pick<Settings, 'traceIncoming' | 'trustedProxies'>,
): TraceHooks => {
  const isProxy = rangeCheck(trustedProxies);
  return {
    begin(request, _reply, done) {
      if (request.url.startsWith(PROBES)) return done();
      // The sampler and its limit decide first, so that no caller makes the service record more.
      request.span = tracing.startTrace(() => describe(request)) ?? undefined;
      if (traceIncoming === 'continue' && request.span) {
        request.continueTrace = () => continueTrace(request, tracing);
        if (isProxy(request.socket.remoteAddress ?? '')) request.continueTrace();
      }
      done();
    },
    end(request, { statusCode }, done) {
      request.span?.end({ attributes: { 'http.response.status_code': statusCode }, failed: statusCode >= 500 });
      done();
    },
  };
};

/** Puts a span below the caller's one in the place of the linked span, which is dropped because it never ends. */
const continueTrace = (request: FastifyRequest, tracing: Tracing): void => {
  const { traceparent } = request.headers;
  if (typeof traceparent !== 'string') return;
  const { name, kind, attributes } = describe(request);
  request.span = tracing.startSpan(traceparent, { name, kind, ...(attributes && { attributes }) }) ?? request.span;
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
    /** Continues the caller's trace. Undefined if the service only links to it. */
    continueTrace: (() => void) | undefined;
  }
}
