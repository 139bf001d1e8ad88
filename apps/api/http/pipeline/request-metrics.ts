import type { onResponseHookHandler } from 'fastify';
import type { Metrics } from '../../../../libs/ports/metrics.port.js';
import { methodOf, routeOf } from './request-path.js';

/** Counts every response by its route. The path is never a label, because each id in a path would start a time series. */
export const countRequests =
  (metrics: Pick<Metrics, 'requestServed'>): onResponseHookHandler =>
  (request, reply, done) => {
    const seconds = reply.elapsedTime / 1_000;
    const isStream = request.routeOptions.config.operation?.success.events !== undefined;
    const served = { method: methodOf(request), route: routeOf(request), status: reply.statusCode, seconds };
    metrics.requestServed(isStream ? { ...served, isStream } : served);
    done();
  };
