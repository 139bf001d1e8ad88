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
