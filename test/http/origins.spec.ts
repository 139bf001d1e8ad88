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

const asks = (store: OwnStore, method: string, headers: Readonly<Record<string, string>>) => store.request(method, '/v1/pets', { headers });
const preflight = {
  origin: SHOP,
  'access-control-request-method': 'QUERY',
  'access-control-request-headers': 'authorization,content-type,x-tenant-id',
};

describe('pages of other origins', () => {
  it('may not call the interface unless a setting names their origin', () =>
    withStore({}, async (store) => {
      for (const [method, headers] of [
        ['GET', { origin: SHOP }],
        ['OPTIONS', preflight],
      ] as const) {
        const answer = await asks(store, method, headers);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }));

  it('may when it does: the preflight allows methods and headers of the interface', () =>
    withStore({ CORS_ORIGINS: `${SHOP},https://other.example.com` }, async (store) => {
      const allowed = await asks(store, 'OPTIONS', preflight);
      expect(allowed.status).toBe(204);
      expect(allowed.headers['access-control-allow-origin']).toBe(SHOP);
      expect(allowed.headers['access-control-allow-methods']).toContain('QUERY');
      expect(allowed.headers['access-control-allow-headers']?.toLowerCase()).toContain('x-tenant-id');
      const read = await asks(store, 'GET', { origin: SHOP });
      expect(read.headers['access-control-allow-origin']).toBe(SHOP);
      expect(read.headers['access-control-expose-headers']?.toLowerCase()).toContain('etag');
      expect(read.headers.vary?.toLowerCase()).toContain('origin');
      expect(read.headers['access-control-allow-credentials']).toBeUndefined();
    }));

  it('may read problems as well as answers', () =>
    withStore({ CORS_ORIGINS: SHOP }, async (store) => {
      const answer = await store.request('GET', '/v1/pets/rex', { headers: { origin: SHOP } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([400, SHOP]);
    }));

  it('of a name that is not listed still may not', () =>
    withStore({ CORS_ORIGINS: SHOP }, async (store) => {
      for (const origin of ['https://evil.example.com', `${SHOP}.evil.example.com`, 'null', 'http://shop.example.com'])
        expect((await asks(store, 'GET', { origin })).headers['access-control-allow-origin']).toBeUndefined();
    }));
});

describe('the Host header, on a store that listens to this machine only', () => {
  it('may name this machine', () =>
    withStore({}, async (store) => {
      const { port } = new URL(store.url);
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:80'])
        expect([host, (await asks(store, 'GET', { host })).status]).toEqual([host, 200]);
    }));

  it('may name no other: a page could have its own name resolve to 127.0.0.1', () =>
    withStore({}, async (store) => {
      for (const host of ['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.evil.example.com:3000', '10.0.0.1'])
        expectProblem(await asks(store, 'GET', { host }), 421, 'misdirected-request');
      // A user before the name makes it no Host header at all (RFC 9112, section 3.2).
      expectProblem(await asks(store, 'GET', { host: '127.0.0.1@evil.example.com' }), 400, 'malformed-request');
    }));

  it('is checked wherever it leads, pages and health included', () =>
    withStore({}, async (store) => {
      for (const path of ['/', '/docs', '/openapi.json', '/health/live', '/errors', '/nothing', '/v1/orders/rex'])
        expect([path, (await store.request('GET', path, { headers: { host: 'evil.example.com' } })).status]).toEqual([path, 421]);
    }));

  it('may name the public address', () =>
    withStore({ PUBLIC_URL: 'https://pets.example.com/shop' }, async (store) => {
      const { status, json } = await asks(store, 'GET', { host: 'pets.example.com' });
      expect(status).toBe(200);
      expect((json as { readonly links: { readonly self: string } }).links.self).toMatch(/^https:\/\/pets\.example\.com\/shop\/v1\/pets\?/);
      expectProblem(await asks(store, 'GET', { host: 'evil.example.com' }), 421, 'misdirected-request');
    }));

  it('makes no link: those start with the public address alone', () =>
    withStore({}, async (store) => {
      const { json } = await asks(store, 'GET', {
        host: 'localhost',
        'x-forwarded-host': 'evil.example.com',
        'x-forwarded-proto': 'https',
      });
      expect((json as { readonly links: { readonly self: string } }).links.self.startsWith(`${store.url}/v1/pets`)).toBe(true);
    }));
});
