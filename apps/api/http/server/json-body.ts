import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import type { ReadBody } from './bodies.js';
import { Problem } from '../problems/problem.js';

/**
 * Matches charset parameters.
 * All of them must be UTF-8, because parsers disagree about which of two they use.
 */
const CHARSETS = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

const isUtf8Type = (type: string): boolean =>
  type === 'application/json' || [...type.matchAll(CHARSETS)].every(([, charset = '']) => /^utf-?8$/i.test(charset));

/**
 * Makes Fastify accept only bodies of JSON in UTF-8 (contract 2.1). Rejects a body with a key that would
 * change a prototype, such as `__proto__` (contract 2.2).
 */
export const readJsonBodies = (fastify: FastifyInstance, readBody: ReadBody): void => {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request, stream, done) => {
    const encoding = request.headers['content-encoding'];
    if (!isUtf8Type(request.headers['content-type'] ?? '') || (encoding !== undefined && encoding.toLowerCase() !== 'identity'))
      return done(new Problem('unsupported-media-type', 'The body must be JSON in UTF-8, uncompressed.'));
    readBody(request, stream, (failure, body) => {
      // An empty body counts as missing. The operation decides whether it needs a body.
      if (failure || !body || body.length === 0) return done(failure, undefined);
      if (!isUtf8(body)) return done(new Problem('malformed-request', 'The body is not UTF-8.'));
      // The parser's message quotes the body, so the problem does not contain the message.
      void parse(request, body.toString('utf8'), (error, parsed) =>
        error ? done(new Problem('malformed-request', 'The body is not JSON.')) : done(null, parsed),
      );
    });
  });
};
