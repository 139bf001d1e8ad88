import type { FastifyReply } from 'fastify';
import type { CreationResult, View } from '../../../libs/application/request.js';
import { Problem } from './problems/problem.js';
import { hasEntityTag } from './consistency/entity-tags.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Cache-Control: any cache may store the response, but revalidates it at each request (contract 2.8). */
export const REVALIDATE = 'no-cache';
/** Cache-Control like `REVALIDATE`, for responses that only this caller may see. */
export const PRIVATE_REVALIDATE = 'private, no-cache';

const RESULT_KNOWN = 'The result has an entity tag of If-None-Match. Repeat the request without If-None-Match, or as QUERY.';

/** The request headers on which the response to a read depends. */
const VARIES = 'Authorization, X-Tenant-ID';

/** Adds the names of request headers to the header Vary, which may already contain Origin. */
export const addVary = (reply: FastifyReply, names: string): void => {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? names : `${String(vary)}, ${names}`);
};

/**
 * Responds to a read with the JSON text, or with 304 (contract 8.2). `etag` has no quotes. Throws a problem instead of sending a
 * 304 to a POST: only GET, HEAD and QUERY may be answered with 304 (RFC 9110, 13.1.2).
 */
export const sendRead = (reply: FastifyReply, json: string, etag: string, cacheControl: string): void => {
  const ifNoneMatch = reply.request.headers['if-none-match'];
  const isKnown = ifNoneMatch !== undefined && hasEntityTag(ifNoneMatch, etag);
  if (isKnown && reply.request.method === 'POST') throw new Problem('precondition-failed', RESULT_KNOWN);
  addVary(reply, VARIES);
  reply.header('etag', `"${etag}"`).header('cache-control', cacheControl);
  if (isKnown) reply.code(304).send();
  else reply.code(200).header('content-type', JSON_TYPE).send(json);
};

/** Responds to a change with the changed resource. */
export const sendChanged = (reply: FastifyReply, { json, etag }: Pick<View, 'json' | 'etag'>): void => {
  reply.code(200).header('etag', `"${etag}"`).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
};

/** Responds to a creation with the new resource and its URL (contract 2.7, 9.2). */
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

/**
 * Responds with 202 to a request that starts work.
 * The client can read the progress of the work at `location`.
 */
export const sendAccepted = (reply: FastifyReply, { json, etag }: View, location: string): void => {
  reply
    .code(202)
    .header('location', location)
    .header('etag', `"${etag}"`)
    .header('cache-control', 'no-store')
    .header('content-type', JSON_TYPE)
    .send(json);
};

/** Responds to a deletion, without a body (contract 2.7). */
export const sendNoContent = (reply: FastifyReply): void => {
  reply.code(204).send();
};
