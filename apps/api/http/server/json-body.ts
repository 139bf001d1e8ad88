import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import type { ReadBody } from './bodies.js';
import { Problem } from '../problems/problem.js';

/** Each charset that a Content-Type names; all must be UTF-8, since readers differ in which of two they take. */
const CHARSETS = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

const isUtf8Type = (type: string): boolean =>
  type === 'application/json' || [...type.matchAll(CHARSETS)].every(([, charset = '']) => /^utf-?8$/i.test(charset));

/**
 * Reads bodies: JSON in UTF-8 and nothing else. "415: a content type that is not the operation's", and a media type
 * that merely ends in +json is another one. Keys that would reach into prototypes make a body malformed.
 */
export const readJsonBodies = (fastify: FastifyInstance, readBody: ReadBody): void => {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request, stream, done) => {
    const encoding = request.headers['content-encoding'];
    if (!isUtf8Type(request.headers['content-type'] ?? '') || (encoding !== undefined && encoding.toLowerCase() !== 'identity'))
      return done(new Problem('unsupported-media-type', 'The body must be JSON in UTF-8, uncompressed.'));
    readBody(request, stream, (failure, body) => {
      // An empty body is none: whether one is needed is the operation's business.
      if (failure || !body || body.length === 0) return done(failure, undefined);
      if (!isUtf8(body)) return done(new Problem('malformed-request', 'The body is not UTF-8.'));
      // Its words for what is wrong quote the body, so they are not passed on.
      void parse(request, body.toString('utf8'), (error, parsed) =>
        error ? done(new Problem('malformed-request', 'The body is not JSON.')) : done(null, parsed),
      );
    });
  });
};
