import { describe, expect } from '@jest/globals';
import { itOnOwnStore as it, startOwnStore, type OwnStore } from '../servers/store.js';
import type { Answer } from '../servers/client.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET } from './shop.js';

/** Longer than any test runs, so that no window ends in the middle of one. */
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

describe('the rate limit', () => {
  it('is told by both generations of headers, which agree', () =>
    withLimit(5, async (store) => {
      for (const left of [4, 3]) {
        const { limit, remaining, reset, newer } = allowanceOf(await store.request('GET', '/v1/pets'));
        expect({ limit, remaining }).toEqual({ limit: 5, remaining: left });
        expect(newer).toEqual([remaining, reset, limit, WINDOW]);
        expect(reset).toBeGreaterThan(0);
        expect(reset).toBeLessThanOrEqual(WINDOW);
      }
    }));

  it('refuses what is over it with 429 and says when to come back', () =>
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

  it('counts every operation, refusals too', () =>
    withLimit(5, async (store) => {
      await store.request('GET', '/v1/pets');
      await store.request('GET', '/v1/pets/rex');
      await store.request('QUERY', '/v1/pets', { body: {} });
      await store.request('POST', '/v1/pets', { body: PLAIN_PET });
      expect(allowanceOf(await store.request('GET', '/v1/orders/rex')).remaining).toBe(0);
      expectProblem(await store.request('POST', '/v1/orders', { body: {} }), 429, 'too-many-requests');
    }));

  it('is each token subject’s own, and apart from that of the address', () =>
    withLimit(1, async (store) => {
      const ask = async (subject?: string, scope = 'read:pets') =>
        (await store.request('GET', '/v1/pets', subject === undefined ? {} : { token: await store.token(scope, { subject }) })).status;
      expect([await ask('ann'), await ask('bob'), await ask()]).toEqual([200, 200, 200]);
      expect([await ask('ann'), await ask('bob'), await ask()]).toEqual([429, 429, 429]);
      expect(await ask('ann', 'write:pets')).toBe(429);
    }));

  it('does not let anyone guess tokens for nothing', () =>
    withLimit(2, async (store) => {
      for (const token of ['a', 'b']) expectProblem(await store.request('GET', '/v1/pets', { token }), 401, 'unauthorized');
      expectProblem(await store.request('GET', '/v1/pets', { token: 'c' }), 429, 'too-many-requests');
    }));

  it('does not concern scope ops', () =>
    withLimit(1, async (store) => {
      const token = await store.token('ops');
      for (let nth = 0; nth < 5; nth++) {
        const { status, headers } = await store.request('GET', '/v1/pets', { token });
        expect([status, headers['ratelimit-limit']]).toEqual([200, undefined]);
      }
    }));

  it('does not concern health, documentation and error pages', () =>
    withLimit(1, async (store) => {
      for (const path of ['/health/live', '/openapi.json', '/health/live', '/openapi.json'])
        expect((await store.request('GET', path)).status).toBe(200);
      expect((await store.request('GET', '/v1/pets')).status).toBe(200);
    }));

  it('believes X-Forwarded-For from a trusted proxy, and from nobody else', async () => {
    const statuses = async (store: OwnStore) => {
      const from = async (address: string) => (await store.request('GET', '/v1/pets', { headers: { 'x-forwarded-for': address } })).status;
      return [await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.1')];
    };
    await withLimit(1, async (store) => expect(await statuses(store)).toEqual([200, 429, 429]));
    await withLimit(1, async (store) => expect(await statuses(store)).toEqual([200, 200, 429]), { TRUSTED_PROXIES: '127.0.0.1' });
  });

  it('can be switched off, and then no header tells of it', async () => {
    const store = await startOwnStore();
    try {
      const { headers } = await (await openShop(store)).ask('GET', '/v1/pets');
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    } finally {
      await store.stop();
    }
  });
});
