import type { FastifyReply } from 'fastify';
import type { CreationResult, View } from '../../../libs/application/request.js';
import { hasEntityTag } from './consistency/entity-tags.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Cache-Control: any cache may store the response, but revalidates it at each request (contract 2.8). */
export const REVALIDATE = 'no-cache';
/** Cache-Control like `REVALIDATE`, for responses that only this caller may see. */
export const PRIVATE_REVALIDATE = 'private, no-cache';

/** The value of Vary: request headers on which a response depends. */
const VARIES = 'Authorization, X-Tenant-ID';

/** Adds request headers to Vary, which may already contain Origin. */
export const addVary = (reply: FastifyReply, names: string): void => {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? names : `${String(vary)}, ${names}`);
};

/** Answers a read with the JSON text, or with 304 (contract 8.2). `etag` has no quotes. */
export const sendRead = (reply: FastifyReply, json: string, etag: string, cacheControl: string): void => {
  const ifNoneMatch = reply.request.headers['if-none-match'];
  addVary(reply, VARIES);
  reply.header('etag', `"${etag}"`).header('cache-control', cacheControl);
  if (ifNoneMatch !== undefined && hasEntityTag(ifNoneMatch, etag)) reply.code(304).send();
  else reply.code(200).header('content-type', JSON_TYPE).send(json);
};

/** Answers a change with the current resource. */
export const sendChanged = (reply: FastifyReply, { json, etag }: View): void => {
  reply.code(200).header('etag', `"${etag}"`).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
};

/** Answers a creation (contract 2.7, 9.2). */
export const sendCreated = (reply: FastifyReply, { json, etag, replayed }: CreationResult, location: string): void => {
  if (replayed) reply.header('idempotent-replayed', 'true');
  reply
    .code(201)
    .header('location', location)
    .header('etag', `"${etag}"`)
    .header('cache-control', 'no-store')
    .header('content-type', JSON_TYPE)
    .send(json);
};

/** Answers a request that starts work. The client can read the progress of the work at `location`. */
export const sendAccepted = (reply: FastifyReply, { json, etag }: View, location: string): void => {
  reply
    .code(202)
    .header('location', location)
    .header('etag', `"${etag}"`)
    .header('cache-control', 'no-store')
    .header('content-type', JSON_TYPE)
    .send(json);
};

/** Answers a deletion without a body (contract 2.7). */
export const sendNoContent = (reply: FastifyReply): void => {
  reply.code(204).send();
};
