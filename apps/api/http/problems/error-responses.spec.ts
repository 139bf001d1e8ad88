import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import { GetPet } from '../../../../libs/application/pets/pet.queries.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { PET, petsApi } from '../../testing/pets-api.fixtures.js';
import { as, kindOf, type RunningApi } from '../../testing/running-api.fixtures.js';
import type { ProblemKind } from './problem-kinds.js';

let api: RunningApi;
const given = async (...args: Parameters<typeof petsApi>): Promise<RunningApi> => (api = await petsApi(...args));
afterEach(() => api.app.close());

/** Proves rows of contract 42.2, 42.14 and 42.18. */
describe('an error response', () => {
  const JSON_BODY = { ...as('staff'), 'content-type': 'application/json' };
  const post = (payload: string | Buffer, headers: Readonly<Record<string, string>>) => ({
    method: 'POST' as const,
    url: '/v1/pets',
    payload,
    headers,
  });

  it.each<[string, InjectOptions, number, ProblemKind]>([
    ['an unknown address', { url: '/v1/nope' }, 404, 'not-found'],
    ['an address without its id', { url: '/v1/pets/' }, 404, 'not-found'],
    ['an address with a slash at its end', { url: `${PET}/` }, 404, 'not-found'],
    [
      'an empty body of any type',
      post('', { ...as('staff'), 'content-type': 'text/plain', 'content-length': '0' }),
      400,
      'malformed-request',
    ],
    ['an address with invalid percent-encoding', { url: '/v1/pets/%zz' }, 400, 'malformed-request'],
    ['a method that the address does not take', { url: '/v1/pets', method: 'PATCH' }, 405, 'method-not-allowed'],
    ['a body that is not JSON', post('{', JSON_BODY), 400, 'malformed-request'],
    ['a missing body', post('', JSON_BODY), 400, 'malformed-request'],
    ['a body with the key __proto__', post('{"__proto__":{"a":1}}', JSON_BODY), 400, 'malformed-request'],
    ['a body with the key constructor.prototype', post('{"constructor":{"prototype":{"a":1}}}', JSON_BODY), 400, 'malformed-request'],
    [
      'a body that is not UTF-8',
      post(Buffer.from('{"name":"\xff","species":"DOG","ageMonths":1}', 'latin1'), JSON_BODY),
      400,
      'malformed-request',
    ],
    ['a body of 2 MiB', post(`"${'x'.repeat(2 << 20)}"`, JSON_BODY), 413, 'content-too-large'],
    [
      'a body of another media type',
      post('name=Luna', { ...as('staff'), 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported-media-type',
    ],
    ['a body without a media type', post('{}', as('staff')), 415, 'unsupported-media-type'],
    [
      'a body of a media type that ends in +json',
      post('{}', { ...as('staff'), 'content-type': 'application/merge-patch+json' }),
      415,
      'unsupported-media-type',
    ],
    [
      'a body in another charset',
      post('{}', { ...as('staff'), 'content-type': 'application/json; charset=latin1' }),
      415,
      'unsupported-media-type',
    ],
    ['a compressed body', post('{}', { ...JSON_BODY, 'content-encoding': 'gzip' }), 415, 'unsupported-media-type'],
    ['an unknown error page', { url: '/errors/nope' }, 404, 'not-found'],
    ['an unknown file', { url: '/docs/package.json' }, 404, 'not-found'],
  ])('to %s is a problem document', async (_, request, status, kind) => {
    const response = await (await given()).inject(request);
    expect([response.statusCode, response.headers['content-type'], kindOf(response)]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
      kind,
    ]);
    expect(response.json()).toMatchObject({
      status,
      title: expect.any(String),
      detail: expect.any(String),
      instance: expect.stringMatching(/^\//),
    });
  });

  it.each(['/v1/pets', PET, '/api/v3/pet'])('to %s with a slash at its end names the address without it', async (path) => {
    const method = path === '/api/v3/pet' ? 'PUT' : 'GET';
    const { statusCode, body } = await (await given()).inject({ method, url: `${path}/?page=1` });
    expect([statusCode, body.includes(`Without the slash at its end it is ${path}.`)]).toEqual([404, true]);
  });

  it.each([
    ['/v1/pets', 'text/plain', 'JSON in UTF-8, sent with Content-Type: application/json, uncompressed.'],
    ['/api/v3/user/login', 'application/x-www-form-urlencoded; charset=latin1', 'or a form in UTF-8'],
    ['/v1/pets/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60/images', 'image/png', 'must be multipart/form-data with the part file'],
    ['/api/v3/pet/1/uploadImage', 'image/png', 'or the file alone as application/octet-stream'],
  ])('with 415 at %s to %s names what the operation takes', async (url, type, expected) => {
    const { statusCode, body } = await (
      await given()
    ).inject({ method: 'POST', url, headers: { ...as('staff'), 'content-type': type }, payload: 'x' });
    expect([statusCode, body]).toEqual([415, expect.stringContaining(expected)]);
  });

  it('to JSON that is sent as a form names the right type, and repeats nothing of it', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = '{"username":"ann","password":"secret-1234"}';
    const { statusCode, body } = await (await given()).inject({ method: 'POST', url: '/api/v3/user/login', headers, payload });
    expect([statusCode, body.includes('Send Content-Type: application/json'), body.includes('secret')]).toEqual([400, true, false]);
  });

  it('is not sent for any spelling of the media type application/json', async () => {
    const { inject } = await given();
    const body = JSON.stringify({ name: 'Luna', species: 'DOG', ageMonths: 1 });
    for (const type of ['application/json', 'Application/JSON; charset="UTF-8"', 'application/json;charset=utf-8'])
      expect([type, (await inject(post(body, { ...as('staff'), 'content-type': type }))).statusCode]).toEqual([type, 201]);
  });

  it('after an unexpected failure is a 500 without details, and the failure is logged with the request id', async () => {
    const { inject, application, logged } = await given();
    application.setHandler(GetPet, () => {
      throw new Error('SQLITE_CORRUPT at /secret/path');
    });
    const response = await inject({ url: PET, headers: { ...as('ann'), 'x-request-id': 'mine-1' } });
    expect([response.statusCode, kindOf(response)]).toEqual([500, 'internal-error']);
    expect(response.body).not.toMatch(/SQLITE|secret|at /);
    expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 50, requestId: 'mine-1', method: 'GET', path: PET }),
    ]);
    expect(logged.join('')).not.toContain('Bearer');
  });

  it('while the store is unavailable is a 503 with Retry-After', async () => {
    const { inject, application } = await given();
    application.setHandler(GetPet, () => {
      throw new StoreUnavailable('disk full');
    });
    const response = await inject({ url: PET });
    expect([response.statusCode, response.headers['retry-after'], kindOf(response)]).toEqual([503, '5', 'temporarily-unavailable']);
    expect(response.body).not.toContain('disk');
  });

  it('to a method that the address does not take has the methods of the address in Allow', async () => {
    const response = await (await given()).inject({ url: PET, method: 'POST', payload: {} });
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PUT']);
  });
});

describe('a server that listens on a port', () => {
  const talk = (port: number, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it.each([
    [
      'a request with headers that are too large',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431',
      'header-fields-too-large',
    ],
    ['a request that is not HTTP', 'HELLO\r\n\r\n', '400', 'malformed-request'],
  ])('answers %s with a problem', async (_, text, status, kind) => {
    const { app } = await given({ PORT: '0' });
    const { port } = new URL(await listening(app));
    const answer = await talk(Number(port), text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*application/problem\\+json[^]*/errors/${kind}`));
  });

  it('answers a request to the classic variant in its form when the headers are too large', async () => {
    const { app } = await given({ PORT: '0' });
    const { port } = new URL(await listening(app));
    const answer = await talk(Number(port), `GET /api/v3/pet/1 HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 [^]*content-type: application\/json[^]*sunset: [^]*"code":431,"type":"header-fields-too-large"/);
  });

  it('answers HTTP/1.0 without a Host header, as the health check of HAProxy is', async () => {
    const { app } = await given({ PORT: '0' });
    const { port } = new URL(await listening(app));
    expect(await talk(Number(port), 'OPTIONS /v1/pets HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 204 /);
  });

  it('returns URLs with the port that the system assigned', async () => {
    const { app } = await given({ PORT: '0', PUBLIC_URL: '' });
    const address = await listening(app);
    const { links } = (await (await fetch(`${address}/v1/pets`)).json()) as { links: { self: string } };
    expect(links.self).toBe(`${address}/v1/pets?page=1&limit=20`);
  });

  const listening = async (app: RunningApi['app']): Promise<string> => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.getUrl();
  };
});
