import { afterEach, describe, expect, it } from '@jest/globals';
import { PET, petsApi } from '../../testing/pets-api.fixtures.js';
import { as, kindOf, type RunningApi } from '../../testing/running-api.fixtures.js';

let api: RunningApi;
const given = async (...args: Parameters<typeof petsApi>): Promise<RunningApi> => (api = await petsApi(...args));
afterEach(() => api.app.close());

describe('a request', () => {
  it.each([
    ['no token', {}, 'Bearer realm="petstore"'],
    ['an unknown token', as('nobody'), expect.stringContaining('error="invalid_token"')],
    ['another authentication scheme', { authorization: 'Basic YTpi' }, expect.stringContaining('error="invalid_token"')],
  ])('with %s is rejected with 401', async (_, headers, challenge) => {
    const response = await (await given()).inject({ method: 'DELETE', url: PET, headers });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, challenge]);
  });

  it('with a token that lacks the scope is rejected with 403, and the response names the scope', async () => {
    const response = await (await given()).inject({ method: 'DELETE', url: PET, headers: as('ann') });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="petstore", error="insufficient_scope", scope="write:pets"',
    ]);
  });

  it('with an invalid token is rejected even by an operation that requires no token', async () => {
    expect((await (await given()).inject({ url: PET, headers: as('nobody') })).statusCode).toBe(401);
  });

  it('waits for a token verifier that returns a promise', async () => {
    const tokens = {
      verify: async (token: string) => (token === 'slow' ? { subject: 'slow', scopes: new Set<string>() } : null),
      sign: async () => 'slow',
      issuer: () => 'petstore',
      readIdToken: async () => null,
    };
    const { inject } = await given({}, { tokens });
    expect([
      (await inject({ url: PET, headers: as('slow') })).statusCode,
      (await inject({ url: PET, headers: as('fake') })).statusCode,
    ]).toEqual([200, 401]);
  });

  it('without a token is rejected before its body is parsed', async () => {
    const response = await (
      await given()
    ).inject({ method: 'POST', url: '/v1/pets', payload: '{', headers: { 'content-type': 'application/json' } });
    expect(response.statusCode).toBe(401);
  });
});

describe('the rate limit', () => {
  it('is in every response, in the older RateLimit-* headers and in RateLimit and RateLimit-Policy', async () => {
    const { headers } = await (await given({ RATE_LIMIT: '3/60s' })).inject({ url: PET });
    expect(headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '60',
      ratelimit: '"default";r=2;t=60',
      'ratelimit-policy': '"default";q=3;w=60',
    });
  });

  it('rejects further requests until the window ends', async () => {
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

  it('counts requests by the subject of a valid token, otherwise by address, and no requests of operators', async () => {
    const { inject } = await given({ RATE_LIMIT: '1/60s' });
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> => (await inject({ url: PET, headers })).statusCode;
    expect([await status(as('ann')), await status(as('ann')), await status(as('staff'))]).toEqual([200, 429, 200]);
    expect([await status(as('nobody')), await status(as('nobody')), await status({})]).toEqual([401, 429, 429]);
    expect([await status(as('ops')), await status(as('ops'))]).toEqual([200, 200]);
  });

  it('trusts X-Forwarded-For only from trusted proxies', async () => {
    const from = (address: string) => ({ url: PET, headers: { 'x-forwarded-for': address } });
    const open = await given({ RATE_LIMIT: '1/60s' });
    expect([(await open.inject(from('10.0.0.1'))).statusCode, (await open.inject(from('10.0.0.2'))).statusCode]).toEqual([200, 429]);
    await open.app.close();
    const proxied = await given({ RATE_LIMIT: '1/60s', TRUSTED_PROXIES: '127.0.0.1' });
    expect([(await proxied.inject(from('10.0.0.1'))).statusCode, (await proxied.inject(from('10.0.0.2'))).statusCode]).toEqual([200, 200]);
  });

  it('counts a /64 network of IPv6 addresses as one caller', async () => {
    const from = (address: string) => ({ url: PET, headers: { 'x-forwarded-for': address } });
    const { inject } = await given({ RATE_LIMIT: '1/60s', TRUSTED_PROXIES: '127.0.0.1' });
    const status = async (address: string): Promise<number> => (await inject(from(address))).statusCode;
    expect([await status('2001:db8:0:1::1'), await status('2001:db8:0:1:ffff::2'), await status('2001:db8::1:0:0:0:3')]).toEqual([
      200, 429, 429,
    ]);
    expect([await status('2001:db8:0:2::1'), await status('::1'), await status('::2')]).toEqual([200, 200, 429]);
  });

  it('does not apply to health checks, pages and the OpenAPI document', async () => {
    const { inject } = await given({ RATE_LIMIT: '1/60s' });
    for (const url of ['/health/live', '/health/live', '/errors', '/errors', '/openapi.json', '/openapi.json'])
      expect((await inject({ url })).headers).not.toHaveProperty('ratelimit-limit');
  });

  it('can be switched off by a setting', async () =>
    expect((await (await given({ RATE_LIMIT: 'off' })).inject({ url: PET })).headers).not.toHaveProperty('ratelimit-limit'));
});
