import { describe, expect, it } from '@jest/globals';
import { createResponseCheck } from './interface-document.js';
import { checkGeneralRules } from './general-rules.js';

const json = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });
const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };

const check = createResponseCheck({
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
      Pet: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, source: { $ref: '#/components/schemas/Source' } } },
      Problem: { type: 'object', required: ['status'] },
      Source: { oneOf: [{ $ref: '#/components/schemas/Card' }], properties: { object: { type: 'string' } } },
      Card: { type: 'object', properties: { object: { type: 'string' }, last4: { type: 'string' } } },
    },
  },
});

const responseWith = (status: number, body?: unknown, type = status < 400 ? 'application/json' : 'application/problem+json') => ({
  status,
  headers: { 'content-type': `${type}; charset=utf-8` },
  text: body === undefined ? '' : JSON.stringify(body),
  json: body,
});

describe('the check of a response against the interface description', () => {
  it('passes when they agree', () => {
    check('GET', '/v1/pets/1?x=1', responseWith(200, { id: '1' }));
    check('GET', '/v1/pets/1', responseWith(404, { status: 404 }));
    check('GET', '/v1/pets/1', responseWith(200, { id: '1', source: { object: 'card', last4: '4242' } }));
    check('GET', '/v1/pets/1', responseWith(304));
    check('DELETE', '/v1/pets/1', responseWith(204));
    check('QUERY', '/v1/pets/search', responseWith(200, { id: '1' }));
  });

  it.each([
    ['the response lacks a member', 'GET', '/v1/pets/1', responseWith(200, {}), /must have required property 'id'/],
    ['the response has an unknown member', 'GET', '/v1/pets/1', responseWith(200, { id: '1', secret: 1 }), /additional properties.*secret/],
    [
      'a kind of a value has an unknown member',
      'GET',
      '/v1/pets/1',
      responseWith(200, { id: '1', source: { object: 'card', cvc: '123' } }),
      /additional properties.*cvc/,
    ],
    [
      'the response is not JSON',
      'GET',
      '/v1/pets/1',
      responseWith(200, undefined, 'text/html'),
      /text\/html is not among application\/json/,
    ],
    [
      'the response has an unlisted status',
      'GET',
      '/v1/pets/1',
      responseWith(409, { status: 409 }),
      /getPet" \(409\).*does not list this status/,
    ],
    ['a problem lacks a member', 'GET', '/v1/pets/1', responseWith(404, {}), /getPet" \(404\) does not fit/],
    ['the response has an undescribed body', 'DELETE', '/v1/pets/1', responseWith(204, { id: '1' }), /describes no body here/],
    [
      'the path also fits the template of another operation, and the response lacks a member',
      'QUERY',
      '/v1/pets/search',
      responseWith(200, {}),
      /searchPets" \(200\) does not fit/,
    ],
    [
      'no operation matches, and the body of the failure is not of the schema Problem',
      'GET',
      '/v2',
      responseWith(404, {}),
      /GET \/v2 does not fit/,
    ],
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
      const given = responseWith(status, body);
      checkGeneralRules('GET', '/v1/pets?x=1', { ...given, headers: { ...given.headers, ...headers } });
    };

  it('passes valid responses', () => {
    check(409, sound)();
    check(401, { ...sound, status: 401 }, { 'www-authenticate': 'Bearer realm="petstore"' })();
  });

  it.each([
    ['the response is a server error', check(500, { ...sound, status: 500 }), /although no request may cause a server error/],
    ['the detail is missing', check(409, { ...sound, detail: '' }), /without detail/],
    ['the status differs', check(409, { ...sound, status: 400 }), /with another status in the body/],
    ['the path differs', check(409, { ...sound, instance: '/v1/orders' }), /with another instance/],
    ['a 422 names no field', check(422, { ...sound, status: 422 }), /without errors/],
    ['the response contains a stack trace', check(409, { ...sound, detail: 'x.ts:5' }), /with an internal message/],
    [
      'the response contains a message of a library',
      check(409, { ...sound, detail: 'FST_ERR_CTP_BODY_TOO_LARGE' }),
      /with an internal message/,
    ],
    ['a 401 has no WWW-Authenticate', check(401, { ...sound, status: 401 }), /without a WWW-Authenticate/],
    ['a 405 has no Allow', check(405, { ...sound, status: 405 }), /without Allow/],
    ['a 429 has no Retry-After', check(429, { ...sound, status: 429 }), /without Retry-After/],
  ])('fails when %s', (_, given, complaint) => {
    expect(given).toThrow(complaint);
  });
});
