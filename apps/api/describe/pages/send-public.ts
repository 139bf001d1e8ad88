import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { preferredCoding } from '../../http/accept.js';
import { hasEntityTag } from '../../http/consistency/entity-tags.js';
import { addVary, REVALIDATE } from '../../http/responses.js';

/** Content that is the same for every caller. `type` is its media type. `etag` has no quotes, unlike the header ETag. */
export type PublicContent = { readonly type: string; readonly content: string | Buffer; readonly etag: string };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** How content is compressed, best first. Compression runs in a thread of its own. */
const CODINGS = {
  br: (content: Buffer) =>
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  gzip: (content: Buffer) => zip(content, { level: 9 }),
};
type Coding = keyof typeof CODINGS;
const NAMES = Object.keys(CODINGS) as Coding[];

/** The compressed content by entity tag. There are as many as there are pages and files. */
const compressed = new Map<string, Promise<Buffer>>();

/**
 * Sends content that is the same for every caller, compressed if the client accepts that, or 304. Responses that depend on the
 * caller are never compressed: their sizes could reveal what they contain.
 */
export const sendPublic = async (reply: FastifyReply, { type, content, etag }: PublicContent): Promise<void> => {
  const { 'accept-encoding': accepted, 'if-none-match': ifNoneMatch } = reply.request.headers;
  const coding = preferredCoding(accepted, NAMES);
  // Each coding is a representation of its own, so it has an entity tag of its own (RFC 9110, 8.8.3).
  const tag = coding === null ? etag : `${etag}-${coding}`;
  addVary(reply, 'Accept-Encoding');
  reply.header('etag', `"${tag}"`).header('cache-control', REVALIDATE);
  if (ifNoneMatch !== undefined && hasEntityTag(ifNoneMatch, tag)) {
    reply.code(304).send();
    return;
  }
  reply.code(200).header('content-type', type);
  if (coding === null) {
    reply.send(content);
    return;
  }
  reply.header('content-encoding', coding).send(await compressedBody(tag, coding, content));
};

const compressedBody = (tag: string, coding: Coding, content: string | Buffer): Promise<Buffer> => {
  const body = compressed.get(tag) ?? CODINGS[coding](Buffer.from(content));
  compressed.set(tag, body);
  return body;
};
