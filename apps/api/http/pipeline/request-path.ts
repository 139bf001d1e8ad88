import type { FastifyRequest } from 'fastify';

/** Returns the request's path without its query. The router also ends a path at `#`, which only a faulty client sends. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
};

/** Returns the path as the client sent it, without its query. */
export const sentPathOf = ({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string => pathOf({ url: originalUrl });

/** Matches an encoded character that needs no encoding: a letter, a digit, or one of `-._~` (RFC 3986, 2.3). */
const NEEDLESSLY_ENCODED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/**
 * Returns the URL in which equal paths are equal texts, so that the router, `Allow` and the pages compare the same path
 * (contract 2.3). `%65` becomes `e`. If the percent-encoding is invalid, each `%` becomes `%25`, and a target that is no path
 * becomes `/`: the router would answer such a request without any hook. The hooks read `originalUrl`, and reject it.
 */
export const normalizeUrl = (url: string): string => {
  if (!url.startsWith('/') && url !== '*') return '/';
  if (!url.includes('%')) return url;
  const path = pathOf({ url });
  const normalized = isDecodable(url) ? path.replace(NEEDLESSLY_ENCODED, decodeURIComponent) : path.replaceAll('%', '%25');
  return normalized + url.slice(path.length);
};

/** Returns whether the percent-encoding of the path of a URL is valid. */
export const isDecodable = (url: string): boolean => {
  if (!url.includes('%')) return true;
  try {
    return decodeURIComponent(pathOf({ url })).length > 0;
  } catch {
    return false;
  }
};

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
