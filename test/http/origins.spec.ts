import { describe, expect } from '@jest/globals';
import { itOnOwnStore as it, startOwnStore, type OwnStore } from '../servers/store.js';
import { expectProblem } from './problems.js';

const SHOP = 'https://shop.example.com';

const withStore = async (env: Readonly<Record<string, string>>, work: (store: OwnStore) => Promise<void>): Promise<void> => {
  const store = await startOwnStore(env);
  try {
    await work(store);
  } finally {
    await store.stop();
  }
};

const send = (store: OwnStore, method: string, headers: Readonly<Record<string, string>>) => store.request(method, '/v1/pets', { headers });
const preflight = {
  origin: SHOP,
  'access-control-request-method': 'QUERY',
  'access-control-request-headers': 'authorization,content-type,x-tenant-id',
};

/** Proves contract 2.10. */
describe('a page of another origin', () => {
  it('has no access by default', () =>
    withStore({}, async (store) => {
      for (const [method, headers] of [
        ['GET', { origin: SHOP }],
        ['OPTIONS', preflight],
      ] as const) {
        const answer = await send(store, method, headers);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }));

  it('has access if CORS_ORIGINS lists its origin: a preflight allows the methods and headers of the interface', () =>
    withStore({ CORS_ORIGINS: `${SHOP},https://other.example.com` }, async (store) => {
      const allowed = await send(store, 'OPTIONS', preflight);
      expect(allowed.status).toBe(204);
      expect(allowed.headers['access-control-allow-origin']).toBe(SHOP);
      expect(allowed.headers['access-control-allow-methods']).toContain('QUERY');
      expect(allowed.headers['access-control-allow-headers']?.toLowerCase()).toContain('x-tenant-id');
      const read = await send(store, 'GET', { origin: SHOP });
      expect(read.headers['access-control-allow-origin']).toBe(SHOP);
      expect(read.headers['access-control-expose-headers']?.toLowerCase()).toContain('etag');
      expect(read.headers.vary?.toLowerCase()).toContain('origin');
      expect(read.headers['access-control-allow-credentials']).toBeUndefined();
    }));

  it('with a listed origin can read problems too', () =>
    withStore({ CORS_ORIGINS: SHOP }, async (store) => {
      const answer = await store.request('GET', '/v1/pets/rex', { headers: { origin: SHOP } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([400, SHOP]);
    }));

  it('has no access if its origin is not listed', () =>
    withStore({ CORS_ORIGINS: SHOP }, async (store) => {
      for (const origin of ['https://evil.example.com', `${SHOP}.evil.example.com`, 'null', 'http://shop.example.com'])
        expect((await send(store, 'GET', { origin })).headers['access-control-allow-origin']).toBeUndefined();
    }));
});

/** Proves contract 1.5 and contract 2.10. */
describe('the Host header of a store on loopback', () => {
  it('can name this machine', () =>
    withStore({}, async (store) => {
      const { port } = new URL(store.url);
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:80'])
        expect([host, (await send(store, 'GET', { host })).status]).toEqual([host, 200]);
    }));

  it('returns 421 with another name, because a page’s own name can resolve to 127.0.0.1', () =>
    withStore({}, async (store) => {
      for (const host of ['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.evil.example.com:3000', '10.0.0.1'])
        expectProblem(await send(store, 'GET', { host }), 421, 'misdirected-request');
      // A Host header with a user is malformed (RFC 9112, section 3.2).
      expectProblem(await send(store, 'GET', { host: '127.0.0.1@evil.example.com' }), 400, 'malformed-request');
    }));

  it('is checked on every path, pages and health included', () =>
    withStore({}, async (store) => {
      for (const path of ['/', '/docs', '/openapi.json', '/health/live', '/errors', '/nothing', '/v1/orders/rex'])
        expect([path, (await store.request('GET', path, { headers: { host: 'evil.example.com' } })).status]).toEqual([path, 421]);
    }));

  it('can name the host of PUBLIC_URL', () =>
    withStore({ PUBLIC_URL: 'https://pets.example.com/shop' }, async (store) => {
      const { status, json } = await send(store, 'GET', { host: 'pets.example.com' });
      expect(status).toBe(200);
      expect((json as { readonly links: { readonly self: string } }).links.self).toMatch(/^https:\/\/pets\.example\.com\/shop\/v1\/pets\?/);
      expectProblem(await send(store, 'GET', { host: 'evil.example.com' }), 421, 'misdirected-request');
    }));

  it('does not change links: they begin with the public address', () =>
    withStore({}, async (store) => {
      const { json } = await send(store, 'GET', {
        host: 'localhost',
        'x-forwarded-host': 'evil.example.com',
        'x-forwarded-proto': 'https',
      });
      expect((json as { readonly links: { readonly self: string } }).links.self.startsWith(`${store.url}/v1/pets`)).toBe(true);
    }));
});
