import type { FastifyRequest } from 'fastify';

/** The route of requests to paths and methods that the service does not have. */
const UNMATCHED = 'unmatched';

/**
 * Metrics and spans name these methods, and show any other method as `other`. HTTP has about thirty further methods, whose
 * names would multiply the time series.
 */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

/** The templates of routes by their URLs in Fastify, such as `/v1/pets/:id`. This cache has at most one entry per route. */
const templates = new Map<string, string>();

const templateOf = (url: string): string => {
  const cached = templates.get(url);
  if (cached !== undefined) return cached;
  const template = url.replace(/:(\w+)/g, '{$1}');
  templates.set(url, template);
  return template;
};

/** Returns the template of a request's route, for example `/v1/pets/{id}`, or `unmatched`. Never returns the request's path. */
export const routeOf = ({ is404, routeOptions: { url } }: FastifyRequest): string =>
  is404 || url === undefined ? UNMATCHED : templateOf(url);

/** Returns the method of a request, or `other` for a method that is not in METHODS. */
export const methodOf = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : 'other');
