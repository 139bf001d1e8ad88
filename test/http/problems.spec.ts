import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '../servers/client.js';
import { startStore, type TestStore } from '../servers/store.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let store: TestStore;
let shop: Shop;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
});
afterAll(() => store.stop());

/** A page as a browser gets it. */
const page = async (path: string) => {
  const client = createClient(store.url);
  try {
    return await client.send('GET', path, { headers: { accept: 'text/html' } });
  } finally {
    client.close();
  }
};

describe('the type of every problem', () => {
  const provoke = async (): Promise<readonly string[]> => {
    const pet = await shop.listPet();
    await shop.placeOrder(pet.id);
    const path = `/v1/pets/${pet.id}`;
    const key = randomUUID();
    await shop.askAsStaff('POST', '/v1/pets', { idempotencyKey: key, body: PLAIN_PET });
    const answers = [
      await shop.askAsStaff('POST', '/v1/pets', { raw: '{' }),
      await shop.ask('GET', '/v1/pets/rex'),
      await shop.ask('POST', '/v1/pets', { body: PLAIN_PET }),
      await shop.ask('POST', '/v1/pets', { body: PLAIN_PET, token: await store.token('read:pets') }),
      await shop.ask('GET', `/v1/pets/${randomUUID()}`),
      await shop.ask('PATCH', path),
      await shop.askAsStaff('DELETE', path),
      await shop.askAsStaff('PUT', path, { ifMatch: '"0.0"', body: { ...pet, status: 'PENDING' } }),
      await shop.askAsStaff('POST', '/v1/pets', { raw: `"${'x'.repeat(1_048_576)}"` }),
      await shop.askAsStaff('POST', '/v1/pets', { raw: '<pet/>', headers: { 'content-type': 'application/xml' } }),
      await shop.askAsStaff('POST', '/v1/pets', { body: {} }),
      await shop.askAsStaff('POST', '/v1/pets', { idempotencyKey: key, body: { ...PLAIN_PET, name: 'Other' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 422]);
    return answers.map(({ json }) => (json as { readonly type: string }).type);
  };

  it('is the address of a page that explains cause and remedy', async () => {
    const types = await provoke();
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) {
      expect(type.startsWith(`${store.url}/errors/`)).toBe(true);
      const { status, headers, text } = await page(new URL(type).pathname);
      expect([type, status, headers['content-type']]).toEqual([type, 200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/cause/i);
      expect(text).toMatch(/remedy|what to do/i);
    }
  });

  it('is listed with all others on one page, from which each can be reached', async () => {
    const { status, text } = await page('/errors');
    expect(status).toBe(200);
    const listed = new Set([...text.matchAll(/href="(\/errors\/[\w-]+)"/g)].map(([, path]) => path ?? ''));
    for (const type of await provoke()) expect(listed).toContain(new URL(type).pathname);
    for (const path of listed) expect([path, (await page(path)).status]).toEqual([path, 200]);
  });

  it('that is none has no page, and that is a problem too', async () => {
    const { status, headers } = await page('/errors/none-such');
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });
});

describe('a problem', () => {
  it('comes with the id under which the request is logged, the caller’s own where there is one', async () => {
    expect((await shop.ask('GET', '/v1/pets/rex')).headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
    expect((await shop.ask('GET', '/v1/pets/rex', { headers: { 'x-request-id': 'mine-1' } })).headers['x-request-id']).toBe('mine-1');
    expect((await shop.ask('GET', '/v1/pets/rex', { headers: { 'x-request-id': 'not "sane"' } })).headers['x-request-id']).not.toContain(
      '"',
    );
  });

  it('says nothing of the query in its instance, which may hold anything', async () => {
    const { json } = await shop.ask<{ readonly instance: string }>('GET', '/v1/pets?card=4242424242424242');
    expect(json.instance).toBe('/v1/pets');
    expect(JSON.stringify(json)).not.toContain('4242424242424242');
  });

  it('is not kept by caches', async () => {
    const { headers } = await shop.ask('GET', `/v1/pets/${randomUUID()}`);
    expect(headers['cache-control']).toBe('no-store');
  });
});
