import type { FastifyReply } from 'fastify';
import { digestTag } from '../http/collections.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, REVALIDATE, sendRead } from '../http/responses.js';

/**
 * Responds to a read. If `isPublic` is true, any cache may store the response (contract 2.8). Set it only if everyone may read
 * the resource and the request has no token.
 */
export const sendClassicRead = (reply: FastifyReply, body: object, isPublic: boolean): void => {
  const json = JSON.stringify(body);
  sendRead(reply, json, digestTag(json), isPublic ? REVALIDATE : PRIVATE_REVALIDATE);
};

/** Responds to a change. A creation also has the status 200, and no Location (contract 39.2). */
export const sendClassicChange = (reply: FastifyReply, body: object | string, replayed = false): void => {
  if (replayed) reply.header('idempotent-replayed', 'true');
  reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(body));
};

/** Responds with 200 and without a body (contract 39.2). */
export const sendClassicEmpty = (reply: FastifyReply): void => {
  reply.code(200).header('cache-control', 'no-store').send();
};
