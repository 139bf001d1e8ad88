import type { FastifyReply } from 'fastify';
import type { CreationResult, View } from '../../../libs/application/request.js';
import { noneMatchHas } from './consistency/entity-tags.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** May be kept by any cache, but asked for again by its entity tag each time. */
export const REVALIDATE = 'no-cache';
/** The same, for what is not everybody's. */
export const PRIVATE_REVALIDATE = 'private, no-cache';

/** What answers differ by, beyond their address. */
const VARIES = 'Authorization, X-Tenant-ID';

/** Adds names of request headers to Vary. It may name Origin already, where other origins may call. */
export const addVary = (reply: FastifyReply, names: string): void => {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? names : `${String(vary)}, ${names}`);
};

/** Answers a read: 304 when the client has it already ("If-None-Match gives 304"), else the JSON text. `etag` without quotes. */
export const sendRead = (reply: FastifyReply, json: string, etag: string, cacheControl: string): void => {
  const ifNoneMatch = reply.request.headers['if-none-match'];
  addVary(reply, VARIES);
  reply.header('etag', `"${etag}"`).header('cache-control', cacheControl);
  if (ifNoneMatch !== undefined && noneMatchHas(ifNoneMatch, etag)) reply.code(304).send();
  else reply.code(200).header('content-type', JSON_TYPE).send(json);
};

/** Answers a change with the resource as it is now. */
export const sendChanged = (reply: FastifyReply, { json, etag }: View): void => {
  reply.code(200).header('etag', `"${etag}"`).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
};

/** "201 carries Location"; "same key and body replays the first answer with `Idempotent-Replayed: true`". */
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

/** Answers that something was asked for, which comes about by itself; its address shows how far it is. */
export const sendAccepted = (reply: FastifyReply, { json, etag }: View, location: string): void => {
  reply
    .code(202)
    .header('location', location)
    .header('etag', `"${etag}"`)
    .header('cache-control', 'no-store')
    .header('content-type', JSON_TYPE)
    .send(json);
};

/** "204 for delete without a body" */
export const sendGone = (reply: FastifyReply): void => {
  reply.code(204).send();
};
