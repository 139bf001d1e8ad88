import { afterEach, describe, expect, it } from '@jest/globals';
import { PET, petsApi } from '../../testing/pets-api.fixtures.js';
import { as, type RunningApi } from '../../testing/running-api.fixtures.js';

let api: RunningApi;
const given = async (...args: Parameters<typeof petsApi>): Promise<RunningApi> => (api = await petsApi(...args));
afterEach(() => api.app.close());

describe('OPTIONS', () => {
  it('answers with the methods of an address', async () => {
    const response = await (await given()).inject({ url: '/v1/pets', method: 'OPTIONS' });
    expect([response.statusCode, response.headers['allow'], response.headers['accept-query']]).toEqual([
      204,
      'GET, HEAD, OPTIONS, POST, QUERY',
      'application/json',
    ]);
  });

  it('answers 404 for an unknown address', async () =>
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

  it('is on only for the configured origins', async () => {
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

  it('does not change an OPTIONS request that is not a preflight', async () =>
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
  ])('%s is answered with %i if the setting HOST is a loopback address', async (host, status) => {
    expect((await (await given()).inject({ url: PET, headers: { host } })).statusCode).toBe(status);
  });

  it('may have any value at the health checks', async () => {
    const { inject } = await given();
    for (const url of ['/health/live', '/health/ready', '/health/ready?x'])
      expect([url, (await inject({ url, headers: { host: 'pod-7.internal' } })).statusCode]).not.toEqual([url, 421]);
    expect((await inject({ url: '/health/readyx', headers: { host: 'pod-7.internal' } })).statusCode).toBe(421);
  });

  it('that is rejected is named, with what the configuration of a proxy lacks', async () => {
    const { body } = await (await given()).inject({ url: PET, headers: { host: 'petstore_backend' } });
    expect(body).toContain('does not answer for the host petstore_backend.');
    expect(body).toContain('`proxy_set_header Host $host;`');
  });

  it('may have any value if the setting HOST is another address', async () => {
    expect(
      (await (await given({ HOST: '0.0.0.0', ACCESS_POLICY: 'documented' })).inject({ url: PET, headers: { host: 'evil.test' } }))
        .statusCode,
    ).toBe(200);
  });
});

describe('the request id', () => {
  it.each([
    ['mine-1', 'mine-1'],
    ['two words', 'request-1'],
    ['x'.repeat(129), 'request-1'],
  ])('of a request with X-Request-Id "%.20s" is %s', async (sent, expected) => {
    const response = await (await given()).inject({ url: PET, headers: { 'x-request-id': sent } });
    expect(response.headers['x-request-id']).toBe(expected);
  });

  it('is in error responses, too', async () =>
    expect((await (await given()).inject({ url: '/nope' })).headers['x-request-id']).toBe('request-1'));
});

describe('the log', () => {
  it('has a line for each request at level debug, without headers, query strings and bodies', async () => {
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
