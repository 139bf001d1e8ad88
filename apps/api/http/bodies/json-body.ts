import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isEncoded, unsupportedBody, type ReadBody } from './bodies.js';
import { Problem } from '../problems/problem.js';

/**
 * Matches charset parameters.
 * If there are several, all must be UTF-8, because parsers disagree about which of them applies.
 */
const CHARSETS = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

const isUtf8Type = (type: string): boolean =>
  type === 'application/json' || [...type.matchAll(CHARSETS)].every(([, charset = '']) => /^utf-?8$/i.test(charset));

/**
 * Makes Fastify accept only JSON in UTF-8 (contract 2.1), and forms for the operations with `form` or `queryInForm`. Rejects a JSON body
 * with a key that would change a prototype, such as `__proto__` (contract 2.2).
 */
export const readJsonBodies = (fastify: FastifyInstance, readBody: ReadBody): void => {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request, stream, done) => {
    const { operation } = request.routeOptions.config;
    if (operation?.upload || !isUtf8Type(request.headers['content-type'] ?? '') || isEncoded(request))
      return done(unsupportedBody(operation));
    readBody(request, stream, (failure, body) => {
      // An empty body counts as missing. The operation decides whether it needs a body.
      if (failure || !body || body.length === 0) return done(failure, undefined);
      if (!isUtf8(body)) return done(new Problem('malformed-request', 'The body is not UTF-8.'));
      const text = body.toString('utf8');
      // The parser's message quotes the body, so the problem does not contain the message.
      void parse(request, text, (error, parsed) =>
        error ? done(new Problem('malformed-request', reasonAgainst(text))) : done(null, parsed),
      );
    });
  });
  fastify.addContentTypeParser(FORM, (request, stream, done) => {
    const { operation } = request.routeOptions.config;
    const takesForms = (operation?.form ?? operation?.queryInForm) === true && isUtf8Type(request.headers['content-type'] ?? '');
    if (!takesForms || isEncoded(request)) return done(unsupportedBody(operation));
    readBody(request, stream, (failure, body) => {
      if (failure || !body || body.length === 0) return done(failure, undefined);
      const text = isUtf8(body) ? body.toString('utf8') : null;
      // `curl -d` sends JSON as a form, unless another type is given.
      if (text?.trimStart().startsWith('{')) return done(new Problem('malformed-request', JSON_AS_FORM));
      const fields = text === null ? null : formFields(text);
      if (fields) done(null, fields);
      else done(new Problem('malformed-request', `The body is not a form in UTF-8 with at most ${MAX_FORM_FIELDS} fields.`));
    });
  });
};

/** Returns why the parser has rejected a body. */
const reasonAgainst = (text: string): string => {
  try {
    JSON.parse(text);
    return 'The keys `__proto__` and `constructor.prototype` are not allowed.';
  } catch {
    return 'The body is not JSON.';
  }
};

const JSON_AS_FORM = 'The body is JSON, and its type is that of a form. Send Content-Type: application/json.';

const FORM = 'application/x-www-form-urlencoded';

/** Returns whether the body of a request is a form. */
export const isForm = ({ headers }: FastifyRequest): boolean => headers['content-type']?.toLowerCase().startsWith(FORM) ?? false;

/** The maximum number of fields of a form. The largest valid form has two: username and password. */
const MAX_FORM_FIELDS = 50;

/**
 * Returns the fields of a form, or null if there are too many. A repeated field becomes a list, which validation rejects
 * because the field must be a text.
 */
const formFields = (form: string): object | null => {
  const fields = new Map<string, string | readonly string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(form)) {
    if (++count > MAX_FORM_FIELDS) return null;
    const previous = fields.get(name);
    fields.set(name, previous === undefined ? value : [previous, value].flat());
  }
  return Object.fromEntries(fields);
};
