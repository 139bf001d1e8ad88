import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

/** Requests a page like a browser. */
const page = async (path: string) => {
  const client = createClient(service.url);
  try {
    return await client.send('GET', path, { headers: { accept: 'text/html' } });
  } finally {
    client.close();
  }
};

/** Proves contract 4.1, contract 4.6 and contract 4.9. Proves rows of contract 42.18. */
describe('the type of every problem', () => {
  const causeProblems = async (): Promise<readonly string[]> => {
    const pet = await shop.listPet();
    await shop.placeOrder(pet.id);
    const path = `/v1/pets/${pet.id}`;
    const key = randomUUID();
    await shop.requestAsStaff('POST', '/v1/pets', { idempotencyKey: key, body: PLAIN_PET });
    const responses = [
      await shop.requestAsStaff('POST', '/v1/pets', { raw: '{' }),
      await shop.request('GET', '/v1/pets/rex'),
      await shop.request('POST', '/v1/pets', { body: PLAIN_PET }),
      await shop.request('POST', '/v1/pets', { body: PLAIN_PET, token: await service.token('read:pets') }),
      await shop.request('GET', `/v1/pets/${randomUUID()}`),
      await shop.request('PATCH', path),
      await shop.requestAsStaff('DELETE', path),
      await shop.requestAsStaff('PUT', path, { ifMatch: '"0.0"', body: { ...pet, status: 'PENDING' } }),
      await shop.requestAsStaff('POST', '/v1/pets', { raw: `"${'x'.repeat(1_048_576)}"` }),
      await shop.requestAsStaff('POST', '/v1/pets', { raw: '<pet/>', headers: { 'content-type': 'application/xml' } }),
      await shop.requestAsStaff('POST', '/v1/pets', { body: {} }),
      await shop.requestAsStaff('POST', '/v1/pets', { idempotencyKey: key, body: { ...PLAIN_PET, name: 'Other' } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 422]);
    return responses.map(({ json }) => (json as { readonly type: string }).type);
  };

  it('is the address of a page that explains the cause and the remedy', async () => {
    const types = await causeProblems();
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) {
      expect(type.startsWith(`${service.url}/errors/`)).toBe(true);
      const { status, headers, text } = await page(new URL(type).pathname);
      expect([type, status, headers['content-type']]).toEqual([type, 200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/cause/i);
      expect(text).toMatch(/remedy|what to do/i);
    }
  });

  it('is linked from the page of all types', async () => {
    const { status, text } = await page('/errors');
    expect(status).toBe(200);
    const listed = new Set([...text.matchAll(/href="(\/errors\/[\w-]+)"/g)].map(([, path]) => path ?? ''));
    for (const type of await causeProblems()) expect(listed).toContain(new URL(type).pathname);
    for (const path of listed) expect([path, (await page(path)).status]).toEqual([path, 200]);
  });
});

describe('an unknown type', () => {
  it('has no page: a browser gets an HTML page with 404, any other client a problem (contract 2.1)', async () => {
    const { status, headers } = await page('/errors/none-such');
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const problem = await shop.request('GET', '/errors/none-such');
    expect([problem.status, problem.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });
});

/** Proves contract 2.6, contract 2.8 and contract 4.1. */
describe('a problem', () => {
  it('has a request id in X-Request-Id: the id that the caller sent, if that is valid', async () => {
    expect((await shop.request('GET', '/v1/pets/rex')).headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
    expect((await shop.request('GET', '/v1/pets/rex', { headers: { 'x-request-id': 'mine-1' } })).headers['x-request-id']).toBe('mine-1');
    expect(
      (await shop.request('GET', '/v1/pets/rex', { headers: { 'x-request-id': 'not "sane"' } })).headers['x-request-id'],
    ).not.toContain('"');
  });

  it('has an instance without the query', async () => {
    const { json } = await shop.request<{ readonly instance: string }>('GET', '/v1/pets?card=4242424242424242');
    expect(json.instance).toBe('/v1/pets');
    expect(JSON.stringify(json)).not.toContain('4242424242424242');
  });

  it('is not cached', async () => {
    const { headers } = await shop.request('GET', `/v1/pets/${randomUUID()}`);
    expect(headers['cache-control']).toBe('no-store');
  });
});
