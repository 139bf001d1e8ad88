import type { FastifyRequest } from 'fastify';

/** Returns the request's path without its query. The router also ends a path at `#`, which only a faulty client sends. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
};
