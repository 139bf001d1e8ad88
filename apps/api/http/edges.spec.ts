import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CreatePet } from '../../../libs/application/pets/pet.handlers.js';
import { ListPets, GetPet } from '../../../libs/application/pets/pet.queries.js';
import type { Environment } from '../../../libs/settings/settings.js';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { InjectOptions } from 'fastify';
import type { ApiOptions } from '../api.js';
import type { ProblemKind } from './problems/problem-kinds.js';
import { as, PET_ID, runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

const PET = `/v1/pets/${PET_ID}`;
const VIEW = { id: PET_ID, json: '{}', etag: '3.1', fields: {} };

let api: RunningApi;
const given = async (env: Environment = {}, options: Partial<ApiOptions> = {}): Promise<RunningApi> => {
  api = await runningApi(env, options);
  api.application.answers(GetPet, () => VIEW);
  api.application.answers(ListPets, () => ({ items: [], totalItems: 0 }));
  api.application.answers(CreatePet, () => ({ ...VIEW, replayed: false }));
  return api;
};
afterEach(() => api.app.close());

const kindOf = (response: { json(): { type: string } }): string => response.json().type.replace('https://pets.test/errors/', '');

describe('an error', () => {
  const JSON_BODY = { ...as('staff'), 'content-type': 'application/json' };
  const post = (payload: string | Buffer, headers: Readonly<Record<string, string>>) => ({
    method: 'POST' as const,
    url: '/v1/pets',
    payload,
    headers,
  });

  it.each<[string, InjectOptions, number, ProblemKind]>([
    ['an unknown address', { url: '/v1/nope' }, 404, 'not-found'],
    ['an address cut short', { url: '/v1/pets/' }, 400, 'invalid-request'],
    ['an address that cannot be decoded', { url: '/v1/pets/%zz' }, 400, 'malformed-request'],
    ['another method', { url: '/v1/pets', method: 'PATCH' }, 405, 'method-not-allowed'],
    ['a body that is not JSON', post('{', JSON_BODY), 400, 'malformed-request'],
    ['no body', post('', JSON_BODY), 400, 'malformed-request'],
    ['a body that reaches into prototypes', post('{"__proto__":{"a":1}}', JSON_BODY), 400, 'malformed-request'],
    ['a body that reaches into constructors', post('{"constructor":{"prototype":{"a":1}}}', JSON_BODY), 400, 'malformed-request'],
    [
      'a body that is not UTF-8',
      post(Buffer.from('{"name":"\xff","species":"DOG","ageMonths":1}', 'latin1'), JSON_BODY),
      400,
      'malformed-request',
    ],
    ['a body of 2 MiB', post(`"${'x'.repeat(2 << 20)}"`, JSON_BODY), 413, 'content-too-large'],
    [
      'a body of another type',
      post('name=Luna', { ...as('staff'), 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported-media-type',
    ],
    ['a body of no type', post('{}', as('staff')), 415, 'unsupported-media-type'],
    [
      'a body of a type that ends in +json',
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
  ])('for %s is a problem', async (_, request, status, kind) => {
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

  it('takes application/json in any spelling', async () => {
    const { inject } = await given();
    const body = JSON.stringify({ name: 'Luna', species: 'DOG', ageMonths: 1 });
    for (const type of ['application/json', 'Application/JSON; charset="UTF-8"', 'application/json;charset=utf-8'])
      expect([type, (await inject(post(body, { ...as('staff'), 'content-type': type }))).statusCode]).toEqual([type, 201]);
  });

  it('that nobody foresaw is 500, logged under the request id, and says nothing of itself', async () => {
    const { inject, application, logged } = await given();
    application.answers(GetPet, () => {
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

  it('of the store is 503 with Retry-After', async () => {
    const { inject, application } = await given();
    application.answers(GetPet, () => {
      throw new StoreUnavailable('disk full');
    });
    const response = await inject({ url: PET });
    expect([response.statusCode, response.headers['retry-after'], kindOf(response)]).toEqual([503, '5', 'temporarily-unavailable']);
    expect(response.body).not.toContain('disk');
  });

  it('says which methods an address takes', async () => {
    const response = await (await given()).inject({ url: PET, method: 'POST', payload: {} });
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PUT']);
  });
});

describe('over a real connection', () => {
  const talk = (port: number, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it.each([
    ['too many headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431', 'header-fields-too-large'],
    ['what is not HTTP', 'HELLO\r\n\r\n', '400', 'malformed-request'],
  ])('%s are a problem too', async (_, text, status, kind) => {
    const { app } = await given({ PORT: '0' });
    const { port } = new URL(await listening(app));
    const answer = await talk(Number(port), text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*application/problem\\+json[^]*/errors/${kind}`));
  });

  it('addresses follow the port that was taken', async () => {
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

describe('OPTIONS', () => {
  it('says what an address takes', async () => {
    const response = await (await given()).inject({ url: '/v1/pets', method: 'OPTIONS' });
    expect([response.statusCode, response.headers['allow'], response.headers['accept-query']]).toEqual([
      204,
      'GET, HEAD, OPTIONS, POST, QUERY',
      'application/json',
    ]);
  });

  it('of an unknown address is 404', async () =>
    expect((await (await given()).inject({ url: '/nope', method: 'OPTIONS' })).statusCode).toBe(404));
});

describe('CORS', () => {
  const preflight = {
    method: 'OPTIONS',
    url: '/v1/pets',
    headers: { origin: 'https://shop.test', 'access-control-request-method': 'QUERY' },
  } as const;

  it('is off by default', async () => {
    const { inject } = await given();
    expect((await inject({ url: '/v1/pets', headers: { origin: 'https://shop.test' } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    expect((await inject(preflight)).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('is on for the origins that are set, and for no others', async () => {
    const { inject } = await given({ CORS_ORIGINS: 'https://shop.test' });
    const allowed = await inject(preflight);
    expect(allowed.statusCode).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.test',
      'access-control-allow-methods': expect.stringContaining('QUERY'),
    });
    expect((await inject({ url: '/v1/pets', headers: { origin: 'https://evil.test' } })).headers['access-control-allow-origin']).not.toBe(
      'https://evil.test',
    );
    expect((await inject({ url: '/v1/pets', headers: { origin: 'https://shop.test' } })).headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.test',
      'access-control-expose-headers': expect.stringContaining('ETag'),
    });
  });

  it('leaves a plain OPTIONS alone', async () =>
    expect((await (await given({ CORS_ORIGINS: 'https://shop.test' })).inject({ method: 'OPTIONS', url: PET })).headers['allow']).toBe(
      'DELETE, GET, HEAD, OPTIONS, PUT',
    ));
});

describe('the Host header', () => {
  it.each([
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['[::1]:3000', 200],
    ['pets.test', 200],
    ['evil.test', 421],
    ['localhost.evil.test', 421],
  ])('%s gets %i while only this machine is served', async (host, status) => {
    expect((await (await given()).inject({ url: PET, headers: { host } })).statusCode).toBe(status);
  });

  it('may be any beyond loopback', async () => {
    expect(
      (await (await given({ HOST: '0.0.0.0', ACCESS_POLICY: 'documented' })).inject({ url: PET, headers: { host: 'evil.test' } }))
        .statusCode,
    ).toBe(200);
  });
});

describe('a token', () => {
  it.each([
    ['missing', {}, 'Bearer realm="petstore"'],
    ['unknown', as('nobody'), expect.stringContaining('error="invalid_token"')],
    ['of another scheme', { authorization: 'Basic YTpi' }, expect.stringContaining('error="invalid_token"')],
  ])('that is %s is 401', async (_, headers, challenge) => {
    const response = await (await given()).inject({ method: 'DELETE', url: PET, headers });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, challenge]);
  });

  it('without the scope is 403, and says which', async () => {
    const response = await (await given()).inject({ method: 'DELETE', url: PET, headers: as('ann') });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="petstore", error="insufficient_scope", scope="write:pets"',
    ]);
  });

  it('that is sent must be valid, also where none is needed', async () => {
    expect((await (await given()).inject({ url: PET, headers: as('nobody') })).statusCode).toBe(401);
  });

  it('may take its time to verify', async () => {
    const tokens = { verify: async (token: string) => (token === 'slow' ? { subject: 'slow', scopes: new Set<string>() } : null) };
    const { inject } = await given({}, { tokens });
    expect([
      (await inject({ url: PET, headers: as('slow') })).statusCode,
      (await inject({ url: PET, headers: as('fake') })).statusCode,
    ]).toEqual([200, 401]);
  });

  it('is looked at before the body', async () => {
    const response = await (
      await given()
    ).inject({ method: 'POST', url: '/v1/pets', payload: '{', headers: { 'content-type': 'application/json' } });
    expect(response.statusCode).toBe(401);
  });
});

describe('the rate limit', () => {
  it('is told with every answer, in both generations of headers', async () => {
    const { headers } = await (await given({ RATE_LIMIT: '3/60s' })).inject({ url: PET });
    expect(headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '60',
      ratelimit: '"default";r=2;t=60',
      'ratelimit-policy': '"default";q=3;w=60',
    });
  });

  it('refuses beyond it until the window ends', async () => {
    const { inject, clock } = await given({ RATE_LIMIT: '1/60s' });
    await inject({ url: PET });
    clock.advance(18_000);
    const response = await inject({ url: PET });
    expect([response.statusCode, response.headers['retry-after'], response.headers['ratelimit-remaining'], kindOf(response)]).toEqual([
      429,
      '42',
      '0',
      'too-many-requests',
    ]);
    clock.advance(42_000);
    expect((await inject({ url: PET })).statusCode).toBe(200);
  });

  it('counts each token for itself, tokens that are none by address, and operators not at all', async () => {
    const { inject } = await given({ RATE_LIMIT: '1/60s' });
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> => (await inject({ url: PET, headers })).statusCode;
    expect([await status(as('ann')), await status(as('ann')), await status(as('staff'))]).toEqual([200, 429, 200]);
    expect([await status(as('nobody')), await status(as('nobody')), await status({})]).toEqual([401, 429, 429]);
    expect([await status(as('ops')), await status(as('ops'))]).toEqual([200, 200]);
  });

  it('believes X-Forwarded-For from trusted proxies alone', async () => {
    const from = (address: string) => ({ url: PET, headers: { 'x-forwarded-for': address } });
    const open = await given({ RATE_LIMIT: '1/60s' });
    expect([(await open.inject(from('10.0.0.1'))).statusCode, (await open.inject(from('10.0.0.2'))).statusCode]).toEqual([200, 429]);
    await open.app.close();
    const behind = await given({ RATE_LIMIT: '1/60s', TRUSTED_PROXIES: '127.0.0.1' });
    expect([(await behind.inject(from('10.0.0.1'))).statusCode, (await behind.inject(from('10.0.0.2'))).statusCode]).toEqual([200, 200]);
  });

  it('counts a network of IPv6 addresses as one caller, since one caller has it all', async () => {
    const from = (address: string) => ({ url: PET, headers: { 'x-forwarded-for': address } });
    const { inject } = await given({ RATE_LIMIT: '1/60s', TRUSTED_PROXIES: '127.0.0.1' });
    const status = async (address: string): Promise<number> => (await inject(from(address))).statusCode;
    expect([await status('2001:db8:0:1::1'), await status('2001:db8:0:1:ffff::2'), await status('2001:db8::1:0:0:0:3')]).toEqual([
      200, 429, 429,
    ]);
    expect([await status('2001:db8:0:2::1'), await status('::1'), await status('::2')]).toEqual([200, 200, 429]);
  });

  it('leaves health, pages and the description alone', async () => {
    const { inject } = await given({ RATE_LIMIT: '1/60s' });
    for (const url of ['/health/live', '/health/live', '/errors', '/errors', '/openapi.json', '/openapi.json'])
      expect((await inject({ url })).headers).not.toHaveProperty('ratelimit-limit');
  });

  it('may be off', async () =>
    expect((await (await given({ RATE_LIMIT: 'off' })).inject({ url: PET })).headers).not.toHaveProperty('ratelimit-limit'));
});

describe('the request id', () => {
  it.each([
    ['mine-1', 'mine-1'],
    ['two words', 'request-1'],
    ['x'.repeat(129), 'request-1'],
  ])('"%.20s" becomes %s', async (sent, expected) => {
    const response = await (await given()).inject({ url: PET, headers: { 'x-request-id': sent } });
    expect(response.headers['x-request-id']).toBe(expected);
  });

  it('is on errors too', async () => expect((await (await given()).inject({ url: '/nope' })).headers['x-request-id']).toBe('request-1'));
});

describe('the log', () => {
  it('has a line for each request at debug, and none of what must not be known', async () => {
    const { inject, logged } = await given({ LOG_LEVEL: 'debug' });
    const headers = { ...as('staff'), 'idempotency-key': 'canary-key', cookie: 'canary-cookie' };
    await inject({ method: 'POST', url: '/v1/pets', headers, payload: { name: 'canary-name', species: 'DOG', ageMonths: 1 } });
    await inject({ url: '/v1/pets?species=canary' });
    const lines = logged.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === 'request');
    expect(lines).toEqual([
      expect.objectContaining({ method: 'POST', path: '/v1/pets', status: 201, actor: 'staff', tenant: 'shared', requestId: 'request-1' }),
      expect.objectContaining({ method: 'GET', path: '/v1/pets', status: 422, actor: 'anonymous' }),
    ]);
    expect(logged.join('')).not.toMatch(/canary|Bearer/);
  });
});
