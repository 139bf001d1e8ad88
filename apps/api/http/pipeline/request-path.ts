import type { FastifyRequest } from 'fastify';

/** Returns the request's path without its query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};
