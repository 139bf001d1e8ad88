import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ImageContent } from '../../../libs/application/pets/pet.queries.js';
import { hasEntityTag } from '../http/consistency/entity-tags.js';
import { Problem } from '../http/problems/problem.js';
import { addVary } from '../http/responses.js';
import { byteRange } from './byte-range.js';

/** The Cache-Control of images. The bytes of an image never change, so caches need not revalidate them (contract 37.6). */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The Content-Security-Policy of images. An image that a browser opens as a page runs no script and loads nothing. */
const SANDBOX_POLICY = "default-src 'none'; sandbox";

/** Responds to a read of an image: with all its bytes, a range of them, 304 or 416. */
export const sendImage = (reply: FastifyReply, { size, mediaType, digest, read }: ImageContent): void => {
  const { headers, method } = reply.request;
  addVary(reply, 'Accept, Authorization, X-Tenant-ID');
  const etag = `"${digest}"`;
  reply.header('etag', etag).header('cache-control', IMMUTABLE).header('content-security-policy', SANDBOX_POLICY);
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && hasEntityTag(ifNoneMatch, digest)) return void reply.code(304).send();
  // With another tag or a date in If-Range, the client needs the whole image (RFC 9110, 13.1.5). HEAD ignores Range (14.2).
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = method === 'GET' && isCurrent ? byteRange(headers.range, size) : 'all';
  if (range === 'none')
    throw new Problem('range-not-satisfiable', `The image has ${size} bytes.`, { headers: { 'content-range': `bytes */${size}` } });
  const { from, to } = range === 'all' ? { from: 0, to: size } : range;
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${size}`);
  reply
    .header('accept-ranges', 'bytes')
    .header('content-type', mediaType)
    .header('content-length', to - from);
  // The response to HEAD is an empty stream. For an empty text, Fastify would change the Content-Length to 0.
  reply.send(Readable.from(method === 'HEAD' ? [] : read(from, to), { objectMode: false }));
};
