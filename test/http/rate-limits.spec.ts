import { describe, expect } from '@jest/globals';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import type { HttpResponse } from '../servers/client.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET } from './shop.js';

/** Seconds. The window of the rate limit is longer than any test, so that it does not end during a test. */
const WINDOW = 7 * 86_400;

const withLimit = async (
  limit: number,
  work: (service: OwnPetstore) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const service = await startOwnPetstore({ RATE_LIMIT: `${limit}/7d`, ...env });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
};

const allowanceOf = ({ headers }: HttpResponse) => {
  const [, remaining, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? [];
  const [, quota, window] = /^"default";q=(\d+);w=(\d+)$/.exec(String(headers['ratelimit-policy'])) ?? [];
  return {
    limit: Number(headers['ratelimit-limit']),
    remaining: Number(headers['ratelimit-remaining']),
    reset: Number(headers['ratelimit-reset']),
    newer: [remaining, reset, quota, window].map(Number),
  };
};

/**
 * Proves contract 4.8, contract 5.5, contract 11.1, contract 11.2 and contract 11.3.
 * Proves rows of contract 42.2, 42.18 and 42.19.
 */
describe('the rate limit', () => {
  it('sends the older RateLimit-* headers and the newer RateLimit header with equal values', () =>
    withLimit(5, async (service) => {
      for (const left of [4, 3]) {
        const { limit, remaining, reset, newer } = allowanceOf(await service.request('GET', '/v1/pets'));
        expect({ limit, remaining }).toEqual({ limit: 5, remaining: left });
        expect(newer).toEqual([remaining, reset, limit, WINDOW]);
        expect(reset).toBeGreaterThan(0);
        expect(reset).toBeLessThanOrEqual(WINDOW);
      }
    }));

  it('rejects further requests with 429 and Retry-After', () =>
    withLimit(2, async (service) => {
      for (const status of [200, 200, 429, 429]) {
        const response = await service.request('GET', '/v1/pets');
        expect(response.status).toBe(status);
        if (status === 200) continue;
        expectProblem(response, 429, 'too-many-requests');
        expect(allowanceOf(response).remaining).toBe(0);
        expect(response.headers['retry-after']).toBe(response.headers['ratelimit-reset']);
      }
    }));

  it('counts the requests of all operations, including rejected ones', () =>
    withLimit(5, async (service) => {
      await service.request('GET', '/v1/pets');
      await service.request('GET', '/v1/pets/rex');
      await service.request('QUERY', '/v1/pets', { body: {} });
      await service.request('POST', '/v1/pets', { body: PLAIN_PET });
      expect(allowanceOf(await service.request('GET', '/v1/orders/rex')).remaining).toBe(0);
      expectProblem(await service.request('POST', '/v1/orders', { body: {} }), 429, 'too-many-requests');
    }));

  it('counts each token’s subject separately, and requests without a token by address', () =>
    withLimit(1, async (service) => {
      const statusFor = async (subject?: string, scope = 'read:pets') =>
        (await service.request('GET', '/v1/pets', subject === undefined ? {} : { token: await service.token(scope, { subject }) })).status;
      expect([await statusFor('ann'), await statusFor('bob'), await statusFor()]).toEqual([200, 200, 200]);
      expect([await statusFor('ann'), await statusFor('bob'), await statusFor()]).toEqual([429, 429, 429]);
      expect(await statusFor('ann', 'write:pets')).toBe(429);
    }));

  it('counts requests with invalid tokens by the client’s address', () =>
    withLimit(2, async (service) => {
      for (const token of ['a', 'b']) expectProblem(await service.request('GET', '/v1/pets', { token }), 401, 'unauthorized');
      expectProblem(await service.request('GET', '/v1/pets', { token: 'c' }), 429, 'too-many-requests');
    }));

  it('does not apply to the scope ops', () =>
    withLimit(1, async (service) => {
      const token = await service.token('ops');
      for (let nth = 0; nth < 5; nth++) {
        const { status, headers } = await service.request('GET', '/v1/pets', { token });
        expect([status, headers['ratelimit-limit']]).toEqual([200, undefined]);
      }
    }));

  it('does not apply to health and descriptions', () =>
    withLimit(1, async (service) => {
      for (const path of ['/health/live', '/openapi.json', '/health/live', '/openapi.json'])
        expect((await service.request('GET', path)).status).toBe(200);
      expect((await service.request('GET', '/v1/pets')).status).toBe(200);
    }));

  it('trusts X-Forwarded-For only from a trusted proxy', async () => {
    const statuses = async (service: OwnPetstore) => {
      const from = async (address: string) =>
        (await service.request('GET', '/v1/pets', { headers: { 'x-forwarded-for': address } })).status;
      return [await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.1')];
    };
    await withLimit(1, async (service) => expect(await statuses(service)).toEqual([200, 429, 429]));
    await withLimit(1, async (service) => expect(await statuses(service)).toEqual([200, 200, 429]), { TRUSTED_PROXIES: '127.0.0.1' });
  });

  it('sends no RateLimit headers when it is disabled', async () => {
    const service = await startOwnPetstore();
    try {
      const { headers } = await (await openShop(service)).request('GET', '/v1/pets');
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
