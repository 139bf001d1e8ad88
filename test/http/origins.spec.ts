import { describe, expect } from '@jest/globals';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

const SHOP = 'https://shop.example.com';

const withService = async (env: Readonly<Record<string, string>>, work: (service: OwnPetstore) => Promise<void>): Promise<void> => {
  const service = await startOwnPetstore(env);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
};

const send = (service: OwnPetstore, method: string, headers: Readonly<Record<string, string>>) =>
  service.request(method, '/v1/pets', { headers });
const preflight = {
  origin: SHOP,
  'access-control-request-method': 'QUERY',
  'access-control-request-headers': 'authorization,content-type,x-tenant-id',
};

/** Proves contract 2.10. */
describe('a page of another origin', () => {
  it('has no access by default', () =>
    withService({}, async (service) => {
      for (const [method, headers] of [
        ['GET', { origin: SHOP }],
        ['OPTIONS', preflight],
      ] as const) {
        const response = await send(service, method, headers);
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }));

  it('has access if CORS_ORIGINS lists its origin: a preflight allows the methods and headers of the interface', () =>
    withService({ CORS_ORIGINS: `${SHOP},https://other.example.com` }, async (service) => {
      const allowed = await send(service, 'OPTIONS', preflight);
      expect(allowed.status).toBe(204);
      expect(allowed.headers['access-control-allow-origin']).toBe(SHOP);
      expect(allowed.headers['access-control-allow-methods']).toContain('QUERY');
      expect(allowed.headers['access-control-allow-headers']?.toLowerCase()).toContain('x-tenant-id');
      const read = await send(service, 'GET', { origin: SHOP });
      expect(read.headers['access-control-allow-origin']).toBe(SHOP);
      expect(read.headers['access-control-expose-headers']?.toLowerCase()).toContain('etag');
      expect(read.headers.vary?.toLowerCase()).toContain('origin');
      expect(read.headers['access-control-allow-credentials']).toBeUndefined();
    }));

  it('gets 404 for a preflight of an unknown address, and Allow for that of a known one', () =>
    withService({ CORS_ORIGINS: SHOP }, async (service) => {
      expectProblem(await service.request('OPTIONS', '/v1/nothing', { headers: preflight }), 404, 'not-found');
      expect((await send(service, 'OPTIONS', preflight)).headers.allow).toBe('GET, HEAD, OPTIONS, POST, QUERY');
      const foreign = await send(service, 'OPTIONS', { ...preflight, origin: 'https://evil.example.com' });
      expect([foreign.status, foreign.headers['access-control-allow-methods']]).toEqual([204, undefined]);
    }));

  it('with a listed origin gets the methods of an address for an OPTIONS request that is no preflight', () =>
    withService({ CORS_ORIGINS: SHOP }, async (service) => {
      const { status, headers } = await send(service, 'OPTIONS', { origin: SHOP });
      expect([status, headers.allow, headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, OPTIONS, POST, QUERY', undefined]);
    }));

  it('with a listed origin can read problems too', () =>
    withService({ CORS_ORIGINS: SHOP }, async (service) => {
      for (const [method, path, status] of [
        ['GET', '/v1/pets/rex', 400],
        ['GET', '/v1/%', 400],
        ['GET', '/v1/nothing', 404],
        ['PATCH', '/v1/pets', 405],
        ['POST', '/v1/pets', 401],
        ['OPTIONS', '/v1/nothing', 404],
      ] as const) {
        const response = await service.request(method, path, { headers: { origin: SHOP } });
        expect([method, path, response.status, response.headers['access-control-allow-origin']]).toEqual([method, path, status, SHOP]);
      }
    }));

  it('has no access if its origin is not listed', () =>
    withService({ CORS_ORIGINS: SHOP }, async (service) => {
      for (const origin of ['https://evil.example.com', `${SHOP}.evil.example.com`, 'null', 'http://shop.example.com'])
        expect((await send(service, 'GET', { origin })).headers['access-control-allow-origin']).toBeUndefined();
    }));
});

/** Proves contract 1.5 and contract 2.10. */
describe('the Host header of a service on loopback', () => {
  it('can name this machine', () =>
    withService({}, async (service) => {
      const { port } = new URL(service.url);
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:80'])
        expect([host, (await send(service, 'GET', { host })).status]).toEqual([host, 200]);
    }));

  it('is rejected with 421 if it names another host, because the host of a page can resolve to 127.0.0.1', () =>
    withService({}, async (service) => {
      for (const host of ['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.evil.example.com:3000', '10.0.0.1'])
        expectProblem(await send(service, 'GET', { host }), 421, 'misdirected-request');
      // A Host header with a user is malformed (RFC 9112, section 3.2).
      expectProblem(await send(service, 'GET', { host: '127.0.0.1@evil.example.com' }), 400, 'malformed-request');
    }));

  it('is checked on every path but the health checks, pages included', () =>
    withService({}, async (service) => {
      for (const path of ['/', '/docs', '/openapi.json', '/health', '/errors', '/nothing', '/v1/orders/rex'])
        expect([path, (await service.request('GET', path, { headers: { host: 'evil.example.com' } })).status]).toEqual([path, 421]);
    }));

  it('can name the host of PUBLIC_URL', () =>
    withService({ PUBLIC_URL: 'https://pets.example.com/shop' }, async (service) => {
      const { status, json } = await send(service, 'GET', { host: 'pets.example.com' });
      expect(status).toBe(200);
      expect((json as { readonly links: { readonly self: string } }).links.self).toMatch(/^https:\/\/pets\.example\.com\/shop\/v1\/pets\?/);
      expectProblem(await send(service, 'GET', { host: 'evil.example.com' }), 421, 'misdirected-request');
    }));

  it('does not change links: they begin with the public address', () =>
    withService({}, async (service) => {
      const { json } = await send(service, 'GET', {
        host: 'localhost',
        'x-forwarded-host': 'evil.example.com',
        'x-forwarded-proto': 'https',
      });
      expect((json as { readonly links: { readonly self: string } }).links.self.startsWith(`${service.url}/v1/pets`)).toBe(true);
    }));
});
