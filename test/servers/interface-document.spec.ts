import { describe, expect, it } from '@jest/globals';
import { answerChecks } from './interface-document.js';
import { checkManners } from './manners.js';

const json = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });
const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };

const check = answerChecks({
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

describe('an answer held against the interface description', () => {
  it('passes when it is as described', () => {
    check('GET', '/v1/pets/1?x=1', answer(200, { id: '1' }));
    check('GET', '/v1/pets/1', answer(404, { status: 404 }));
    check('GET', '/v1/pets/1', answer(304));
    check('DELETE', '/v1/pets/1', answer(204));
    check('QUERY', '/v1/pets/search', answer(200, { id: '1' }));
  });

  it.each([
    ['lacks a member', 'GET', '/v1/pets/1', answer(200, {}), /must have required property 'id'/],
    ['has a member too many', 'GET', '/v1/pets/1', answer(200, { id: '1', secret: 1 }), /additional properties.*secret/],
    ['is no JSON', 'GET', '/v1/pets/1', answer(200, undefined, 'text/html'), /text\/html is not among application\/json/],
    ['has a status that is not listed', 'GET', '/v1/pets/1', answer(409, { status: 409 }), /getPet" \(409\).*does not know that status/],
    ['is a problem that lacks a member', 'GET', '/v1/pets/1', answer(404, {}), /getPet" \(404\) does not fit/],
    ['has a body where none is described', 'DELETE', '/v1/pets/1', answer(204, { id: '1' }), /knows no body here/],
    ['is of an operation beside an id', 'QUERY', '/v1/pets/search', answer(200, {}), /searchPets" \(200\) does not fit/],
    ['is of no operation, and no problem', 'GET', '/v2', answer(404, {}), /GET \/v2 does not fit/],
  ] as const)('fails when it %s', (_, method, path, given, complaint) => {
    expect(() => check(method, path, given)).toThrow(complaint);
  });
});

describe('an answer with manners', () => {
  const sound = { type: 'http://x/errors/conflict', title: 'Conflict', status: 409, detail: 'No.', instance: '/v1/pets' };
  const ask =
    (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    () => {
      const given = answer(status, body);
      checkManners('GET', '/v1/pets?x=1', { ...given, headers: { ...given.headers, ...headers } });
    };

  it('passes', () => {
    ask(409, sound)();
    ask(401, { ...sound, status: 401 }, { 'www-authenticate': 'Bearer' })();
  });

  it.each([
    ['is a server error', ask(500, { ...sound, status: 500 }), /may break the server/],
    ['lacks a detail', ask(409, { ...sound, detail: '' }), /without detail/],
    ['says another status', ask(409, { ...sound, status: 400 }), /another status/],
    ['says another path', ask(409, { ...sound, instance: '/v1/orders' }), /another instance/],
    ['names no field on a 422', ask(422, { ...sound, status: 422 }), /without errors/],
    ['shows a stack', ask(409, { ...sound, detail: 'x.ts:5' }), /tells of its inside/],
    ['quotes a library', ask(409, { ...sound, detail: 'FST_ERR_CTP_BODY_TOO_LARGE' }), /tells of its inside/],
    ['asks for a token without saying which', ask(401, { ...sound, status: 401 }), /without WWW-Authenticate/],
    ['takes another method without saying which', ask(405, { ...sound, status: 405 }), /without Allow/],
    ['sends away without saying for how long', ask(429, { ...sound, status: 429 }), /without Retry-After/],
  ])('is not one that %s', (_, given, complaint) => {
    expect(given).toThrow(complaint);
  });
});
