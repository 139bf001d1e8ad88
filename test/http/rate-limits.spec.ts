import { describe, expect } from '@jest/globals';
import { itOnOwnStore as it, startOwnStore, type OwnStore } from '../servers/store.js';
import type { Answer } from '../servers/client.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET } from './shop.js';

/** The window in seconds. It is longer than any test, so that no window ends during one. */
const WINDOW = 7 * 86_400;

const withLimit = async (
  limit: number,
  work: (store: OwnStore) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const store = await startOwnStore({ RATE_LIMIT: `${limit}/7d`, ...env });
  try {
    await work(store);
  } finally {
    await store.stop();
  }
};

const allowanceOf = ({ headers }: Answer) => {
  const [, remaining, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? [];
  const [, quota, window] = /^"default";q=(\d+);w=(\d+)$/.exec(String(headers['ratelimit-policy'])) ?? [];
  return {
    limit: Number(headers['ratelimit-limit']),
    remaining: Number(headers['ratelimit-remaining']),
    reset: Number(headers['ratelimit-reset']),
    newer: [remaining, reset, quota, window].map(Number),
  };
};

/** Proves contract 4.8, contract 5.5, contract 11.1, contract 11.2 and contract 11.3. */
describe('the rate limit', () => {
  it('sends the older RateLimit-* headers and the newer RateLimit header with equal values', () =>
    withLimit(5, async (store) => {
      for (const left of [4, 3]) {
        const { limit, remaining, reset, newer } = allowanceOf(await store.request('GET', '/v1/pets'));
        expect({ limit, remaining }).toEqual({ limit: 5, remaining: left });
        expect(newer).toEqual([remaining, reset, limit, WINDOW]);
        expect(reset).toBeGreaterThan(0);
        expect(reset).toBeLessThanOrEqual(WINDOW);
      }
    }));

  it('rejects further requests with 429 and Retry-After', () =>
    withLimit(2, async (store) => {
      for (const status of [200, 200, 429, 429]) {
        const answer = await store.request('GET', '/v1/pets');
        expect(answer.status).toBe(status);
        if (status === 200) continue;
        expectProblem(answer, 429, 'too-many-requests');
        expect(allowanceOf(answer).remaining).toBe(0);
        expect(answer.headers['retry-after']).toBe(answer.headers['ratelimit-reset']);
      }
    }));

  it('counts the requests of all operations, including rejected ones', () =>
    withLimit(5, async (store) => {
      await store.request('GET', '/v1/pets');
      await store.request('GET', '/v1/pets/rex');
      await store.request('QUERY', '/v1/pets', { body: {} });
      await store.request('POST', '/v1/pets', { body: PLAIN_PET });
      expect(allowanceOf(await store.request('GET', '/v1/orders/rex')).remaining).toBe(0);
      expectProblem(await store.request('POST', '/v1/orders', { body: {} }), 429, 'too-many-requests');
    }));

  it('counts each token’s subject separately, and requests without a token by address', () =>
    withLimit(1, async (store) => {
      const statusFor = async (subject?: string, scope = 'read:pets') =>
        (await store.request('GET', '/v1/pets', subject === undefined ? {} : { token: await store.token(scope, { subject }) })).status;
      expect([await statusFor('ann'), await statusFor('bob'), await statusFor()]).toEqual([200, 200, 200]);
      expect([await statusFor('ann'), await statusFor('bob'), await statusFor()]).toEqual([429, 429, 429]);
      expect(await statusFor('ann', 'write:pets')).toBe(429);
    }));

  it('counts requests with invalid tokens by the client’s address', () =>
    withLimit(2, async (store) => {
      for (const token of ['a', 'b']) expectProblem(await store.request('GET', '/v1/pets', { token }), 401, 'unauthorized');
      expectProblem(await store.request('GET', '/v1/pets', { token: 'c' }), 429, 'too-many-requests');
    }));

  it('does not apply to the scope ops', () =>
    withLimit(1, async (store) => {
      const token = await store.token('ops');
      for (let nth = 0; nth < 5; nth++) {
        const { status, headers } = await store.request('GET', '/v1/pets', { token });
        expect([status, headers['ratelimit-limit']]).toEqual([200, undefined]);
      }
    }));

  it('does not apply to health and descriptions', () =>
    withLimit(1, async (store) => {
      for (const path of ['/health/live', '/openapi.json', '/health/live', '/openapi.json'])
        expect((await store.request('GET', path)).status).toBe(200);
      expect((await store.request('GET', '/v1/pets')).status).toBe(200);
    }));

  it('trusts X-Forwarded-For only from a trusted proxy', async () => {
    const statuses = async (store: OwnStore) => {
      const from = async (address: string) => (await store.request('GET', '/v1/pets', { headers: { 'x-forwarded-for': address } })).status;
      return [await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.1')];
    };
    await withLimit(1, async (store) => expect(await statuses(store)).toEqual([200, 429, 429]));
    await withLimit(1, async (store) => expect(await statuses(store)).toEqual([200, 200, 429]), { TRUSTED_PROXIES: '127.0.0.1' });
  });

  it('sends no RateLimit headers when it is disabled', async () => {
    const store = await startOwnStore();
    try {
      const { headers } = await (await openShop(store)).request('GET', '/v1/pets');
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    } finally {
      await store.stop();
    }
  });
});
