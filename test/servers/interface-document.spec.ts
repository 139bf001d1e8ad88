import { describe, expect, it } from '@jest/globals';
import { createAnswerCheck } from './interface-document.js';
import { checkGeneralRules } from './general-rules.js';

const json = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });
const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };

const check = createAnswerCheck({
  paths: {
    '/v1/pets/{id}': {
      get: { operationId: 'getPet', responses: { 200: { content: json('Pet') }, 404: { $ref: '#/components/responses/NotFound' } } },
      delete: { operationId: 'deletePet', responses: { 204: {} } },
    },
    '/v1/pets/search': { query: { operationId: 'searchPets', responses: { 200: { content: json('Pet') } } } },
  },
  components: {
    responses: { NotFound: problem },
    schemas: {
      Pet: { type: 'object', required: ['id'], properties: { id: { type: 'string' } }, additionalProperties: false },
      Problem: { type: 'object', required: ['status'] },
    },
  },
});

const answer = (status: number, body?: unknown, type = status < 400 ? 'application/json' : 'application/problem+json') => ({
  status,
  headers: { 'content-type': `${type}; charset=utf-8` },
  text: body === undefined ? '' : JSON.stringify(body),
  json: body,
});

describe('the check of a response against the interface description', () => {
  it('passes when they agree', () => {
    check('GET', '/v1/pets/1?x=1', answer(200, { id: '1' }));
    check('GET', '/v1/pets/1', answer(404, { status: 404 }));
    check('GET', '/v1/pets/1', answer(304));
    check('DELETE', '/v1/pets/1', answer(204));
    check('QUERY', '/v1/pets/search', answer(200, { id: '1' }));
  });

  it.each([
    ['the answer lacks a member', 'GET', '/v1/pets/1', answer(200, {}), /must have required property 'id'/],
    ['the answer has an unknown member', 'GET', '/v1/pets/1', answer(200, { id: '1', secret: 1 }), /additional properties.*secret/],
    ['the answer is not JSON', 'GET', '/v1/pets/1', answer(200, undefined, 'text/html'), /text\/html is not among application\/json/],
    ['the answer has an unlisted status', 'GET', '/v1/pets/1', answer(409, { status: 409 }), /getPet" \(409\).*does not list this status/],
    ['a problem lacks a member', 'GET', '/v1/pets/1', answer(404, {}), /getPet" \(404\) does not fit/],
    ['the answer has an undescribed body', 'DELETE', '/v1/pets/1', answer(204, { id: '1' }), /describes no body here/],
    [
      'the path of an operation looks like an id, and the answer lacks a member',
      'QUERY',
      '/v1/pets/search',
      answer(200, {}),
      /searchPets" \(200\) does not fit/,
    ],
    ['no operation matches, and the answer is no problem', 'GET', '/v2', answer(404, {}), /GET \/v2 does not fit/],
  ] as const)('fails when %s', (_, method, path, given, complaint) => {
    expect(() => check(method, path, given)).toThrow(complaint);
  });
});

/** Proves contract 4.1, contract 4.4, contract 4.7 and contract 4.8. */
describe('the check of general rules', () => {
  const sound = { type: 'http://x/errors/conflict', title: 'Conflict', status: 409, detail: 'No.', instance: '/v1/pets' };
  const check =
    (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    () => {
      const given = answer(status, body);
      checkGeneralRules('GET', '/v1/pets?x=1', { ...given, headers: { ...given.headers, ...headers } });
    };

  it('passes valid responses', () => {
    check(409, sound)();
    check(401, { ...sound, status: 401 }, { 'www-authenticate': 'Bearer' })();
  });

  it.each([
    ['the answer is a server error', check(500, { ...sound, status: 500 }), /although no request may cause a server error/],
    ['the detail is missing', check(409, { ...sound, detail: '' }), /without detail/],
    ['the status differs', check(409, { ...sound, status: 400 }), /with another status in the body/],
    ['the path differs', check(409, { ...sound, instance: '/v1/orders' }), /with another instance/],
    ['a 422 names no field', check(422, { ...sound, status: 422 }), /without errors/],
    ['the answer contains a stack trace', check(409, { ...sound, detail: 'x.ts:5' }), /with an internal message/],
    [
      'the answer contains a message of a library',
      check(409, { ...sound, detail: 'FST_ERR_CTP_BODY_TOO_LARGE' }),
      /with an internal message/,
    ],
    ['a 401 has no WWW-Authenticate', check(401, { ...sound, status: 401 }), /without WWW-Authenticate/],
    ['a 405 has no Allow', check(405, { ...sound, status: 405 }), /without Allow/],
    ['a 429 has no Retry-After', check(429, { ...sound, status: 429 }), /without Retry-After/],
  ])('fails when %s', (_, given, complaint) => {
    expect(given).toThrow(complaint);
  });
});
