import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const STRONG = /^"[^"]+"$/;
const tagOf = async (path: string) => (await shop.requestAsStaff('GET', path)).headers.etag ?? '';

const searchTag = async () => (await shop.request('POST', '/v1/pets/search', { body: {} })).headers.etag ?? '';

/** Proves contract 8.1. */
describe('an entity tag', () => {
  it('is strong, and changes with every change of the resource', async () => {
    const pet = await shop.listPet();
    const tags = [await tagOf(`/v1/pets/${pet.id}`)];
    const replaced = await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, name: 'Rex' } });
    tags.push(replaced.headers.etag ?? '');
    expect(await tagOf(`/v1/pets/${pet.id}`)).toBe(replaced.headers.etag);
    await shop.placeOrder(pet.id);
    tags.push(await tagOf(`/v1/pets/${pet.id}`));
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(STRONG);
  });

  it('stays the same when a replacement changes nothing', async () => {
    const pet = await shop.listPet();
    const tag = await tagOf(`/v1/pets/${pet.id}`);
    const { status, headers } = await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: pet });
    expect({ status, etag: headers.etag }).toEqual({ status: 200, etag: tag });
  });

  it('of a payment and a receipt begins with the payment’s id', async () => {
    const { order } = await shop.sell();
    const { json } = await shop.request<{ readonly id: string }>('GET', `/v1/orders/${order.id}/payment`);
    for (const path of ['payment', 'receipt'])
      expect(await tagOf(`/v1/orders/${order.id}/${path}`)).toMatch(new RegExp(`^"${json.id}\\..+"$`));
  });

  it.each([
    ['GET', '/v1/pets', undefined],
    ['QUERY', '/v1/pets', {}],
    ['GET', '/v1/inventories', undefined],
  ])('of %s %s depends on the content', async (method, path, body) => {
    const own = await openShop(service);
    const request = async (ifNoneMatch?: string) =>
      own.requestAsStaff(method, path, { ...(body && { body }), ...(ifNoneMatch && { ifNoneMatch }) });
    const first = await request();
    const { headers } = await request();
    expect(headers.etag).toBe(first.headers.etag);
    expect(headers.etag).toMatch(STRONG);
    expect((await request(headers.etag)).status).toBe(304);
    await own.listPet();
    const { status, headers: later } = await request(headers.etag);
    expect(status).toBe(200);
    expect(later.etag).not.toBe(headers.etag);
  });
});

/** Proves contract 8.2. */
describe('If-None-Match on a read', () => {
  it('gets 412 from a search by POST, because only GET, HEAD and QUERY may be answered with 304', async () => {
    const search = (ifNoneMatch?: string) =>
      shop.request('POST', '/v1/pets/search', { body: {}, ...(ifNoneMatch !== undefined && { ifNoneMatch }) });
    const tag = (await search()).headers.etag ?? '';
    expectProblem(await search(tag), 412, 'precondition-failed');
    expect((await search('"other"')).status).toBe(200);
  });

  it('gets 304 without a body until the resource changes, then 200', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const tag = await tagOf(path);
    const { status, text, headers } = await shop.request('GET', path, { ifNoneMatch: tag });
    expect({ status, text, etag: headers.etag }).toEqual({ status: 304, text: '', etag: tag });
    for (const ifNoneMatch of [`"other", ${tag}`, `W/${tag}`, '*'])
      expect((await shop.request('GET', path, { ifNoneMatch })).status).toBe(304);
    // A header that is not a valid list of tags matches no tag.
    for (const ifNoneMatch of [`x${tag}`, `${tag}x`, `"other"${tag}`])
      expect((await shop.request('GET', path, { ifNoneMatch })).status).toBe(200);
    expect((await shop.request('HEAD', path, { ifNoneMatch: tag })).status).toBe(304);
    await shop.requestAsStaff('PUT', path, { body: { ...pet, name: 'Rex' } });
    expect((await shop.request('GET', path, { ifNoneMatch: tag })).status).toBe(200);
  });

  it.each(['', '/payment', '/receipt'])('works for an order%s', async (part) => {
    const { order } = await shop.sell();
    const path = `/v1/orders/${order.id}${part}`;
    expect((await shop.request('GET', path, { ifNoneMatch: await tagOf(path) })).status).toBe(304);
  });
});

/** Proves contract 8.4. */
describe('If-None-Match on a change', () => {
  it('gets 412 with the current tag, and changes nothing', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const replace = (name: string, ifNoneMatch: string) => shop.requestAsStaff<Pet>('PUT', path, { ifNoneMatch, body: { ...pet, name } });
    for (const tag of ['*', ' * ', await tagOf(path), `W/${await tagOf(path)}`, `"other", ${await tagOf(path)}`]) {
      expectProblem(await replace('Two', tag), 412, 'precondition-failed');
      expectProblem(await shop.requestAsStaff('DELETE', path, { ifNoneMatch: tag }), 412, 'precondition-failed');
    }
    expect((await shop.request<Pet>('GET', path)).json.name).toBe(pet.name);
    expect((await replace('One', '"other"')).status).toBe(200);
    expect((await shop.requestAsStaff('DELETE', path, { ifNoneMatch: '"other"' })).status).toBe(204);
  });

  it('gets 412 for orders and webhook endpoints too', async () => {
    const { order } = await shop.sell();
    const webhook = { url: 'https://shop.example.com/hooks', events: ['payment.failed'] };
    const { id } = (await shop.requestAsStaff<Pet>('POST', '/v1/webhooks', { body: webhook })).json;
    for (const [method, path, body] of [
      ['POST', `/v1/orders/${order.id}/shipment`, undefined],
      ['DELETE', `/v1/orders/${order.id}`, undefined],
      ['PUT', `/v1/webhooks/${id}`, webhook],
      ['DELETE', `/v1/webhooks/${id}`, undefined],
    ] as const)
      expectProblem(await shop.requestAsStaff(method, path, { ifNoneMatch: '*', ...(body && { body }) }), 412, 'precondition-failed');
    expect((await shop.request('GET', `/v1/orders/${order.id}`)).status).toBe(200);
  });

  it('gets 404 for an unknown resource, as without the header', async () => {
    const path = '/v1/pets/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
    expectProblem(await shop.requestAsStaff('DELETE', path, { ifNoneMatch: '*' }), 404, 'not-found');
  });

  it('that is no list of entity tags gets 400', async () => {
    const pet = await shop.listPet();
    expectProblem(await shop.requestAsStaff('DELETE', `/v1/pets/${pet.id}`, { ifNoneMatch: 'abc' }), 400, 'invalid-request', {
      'If-None-Match': 'INVALID_FORMAT',
    });
  });
});

/** Proves contract 8.3. */
describe('If-Match', () => {
  it('permits a replacement of the unchanged resource; otherwise the response is 412 and nothing changes', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const tag = await tagOf(path);
    const replace = (name: string, ifMatch: string) => shop.requestAsStaff<Pet>('PUT', path, { ifMatch, body: { ...pet, name } });
    expect((await replace('One', tag)).status).toBe(200);
    expectProblem(await replace('Two', tag), 412, 'precondition-failed');
    expect((await shop.request<Pet>('GET', path)).json.name).toBe('One');
    expect((await replace('Three', `"other", ${await tagOf(path)}`)).status).toBe(200);
    expect((await replace('Four', '*')).status).toBe(200);
  });

  it.each(['W/"r"', '"r-gzip"', '"r-br"', '"r-zstd"', 'W/"r-gzip"'])(
    'as a proxy that compresses changes it names the same revision: %s (contract 8.6)',
    async (form) => {
      const pet = await shop.listPet();
      const path = `/v1/pets/${pet.id}`;
      const changed = (tag: string): string => form.replace('r', tag.slice(1, -1));
      const tag = await tagOf(path);
      const { status, headers } = await shop.requestAsStaff('PUT', path, { ifMatch: changed(tag), body: { ...pet, name: 'Rex' } });
      expect({ status, etag: headers.etag }).toEqual({ status: 200, etag: expect.stringMatching(STRONG) });
      expectProblem(await shop.requestAsStaff('DELETE', path, { ifMatch: changed(tag) }), 412, 'precondition-failed');
      const now = changed(headers.etag ?? '');
      expect((await shop.request('GET', path, { ifNoneMatch: now })).status).toBe(304);
      expectProblem(await shop.requestAsStaff('DELETE', path, { ifNoneMatch: now }), 412, 'precondition-failed');
      expectProblem(
        await shop.request('POST', '/v1/pets/search', { body: {}, ifNoneMatch: changed(await searchTag()) }),
        412,
        'precondition-failed',
      );
      expect((await shop.requestAsStaff('DELETE', path, { ifMatch: now })).status).toBe(204);
    },
  );

  it('applies to the deletion of pets and orders too', async () => {
    const pet = await shop.listPet();
    const order = await shop.placeOrder(pet.id);
    for (const path of [`/v1/orders/${order.id}`, `/v1/pets/${pet.id}`]) {
      const tag = await tagOf(path);
      expectProblem(await shop.requestAsStaff('DELETE', path, { ifMatch: '"0.0"' }), 412, 'precondition-failed');
      expect((await shop.requestAsStaff('DELETE', path, { ifMatch: tag })).status).toBe(204);
      if (path.includes('orders')) await shop.petBecomes(pet.id, 'AVAILABLE');
    }
  });

  it('with a stale tag gets 404 on a deleted pet and 409 on a reserved one (contract 8.5)', async () => {
    const [deleted, reserved] = [await shop.listPet(), await shop.listPet()];
    await shop.requestAsStaff('DELETE', `/v1/pets/${deleted.id}`);
    await shop.placeOrder(reserved.id);
    const statusOf = async (method: string, { id, ...pet }: Pet): Promise<number> =>
      (await shop.requestAsStaff(method, `/v1/pets/${id}`, { ifMatch: '"0.0"', ...(method === 'PUT' && { body: pet }) })).status;
    expect([await statusOf('PUT', deleted), await statusOf('DELETE', deleted)]).toEqual([404, 404]);
    expect([await statusOf('PUT', reserved), await statusOf('DELETE', reserved)]).toEqual([409, 409]);
  });

  it('that is no list of entity tags gets 400', async () => {
    const pet = await shop.listPet();
    for (const ifMatch of ['abc', '"open', '1.1'])
      expectProblem(await shop.requestAsStaff('DELETE', `/v1/pets/${pet.id}`, { ifMatch }), 400, 'invalid-request', {
        'If-Match': 'INVALID_FORMAT',
      });
  });
});
