import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { openShop, type Order, type Pet, type Shop } from './shop.js';

let store: TestStore;
let shop: Shop;
let pet: Pet;
let order: Order;
let webhookId: string;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
  ({ pet, order } = await shop.sell());
  const webhook = { url: 'https://shop.example.com/hooks', events: ['payment.failed'] };
  webhookId = (await shop.askAsStaff<{ readonly id: string }>('POST', '/v1/webhooks', { body: webhook })).json.id;
});
afterAll(() => store.stop());

/** Every address with the methods it takes. */
const ADDRESSES = [
  ['/v1/pets', 'GET HEAD OPTIONS POST QUERY'],
  ['/v1/pets/search', 'OPTIONS POST QUERY'],
  ['/v1/pets/{pet}', 'DELETE GET HEAD OPTIONS PUT'],
  ['/v1/orders', 'GET HEAD OPTIONS POST'],
  ['/v1/orders/{order}', 'DELETE GET HEAD OPTIONS POST'],
  ['/v1/orders/{order}/payment', 'GET HEAD OPTIONS POST'],
  ['/v1/orders/{order}/receipt', 'GET HEAD OPTIONS'],
  ['/v1/orders/{order}/shipment', 'OPTIONS POST'],
  ['/v1/orders/{order}/delivery', 'OPTIONS POST'],
  ['/v1/inventories', 'GET HEAD OPTIONS'],
  ['/v1/webhooks', 'GET HEAD OPTIONS POST'],
  ['/v1/webhooks/{webhook}', 'DELETE GET HEAD OPTIONS PUT'],
  ['/v1/webhooks/{webhook}/secret', 'OPTIONS POST'],
  ['/v1/webhooks/{webhook}/test', 'OPTIONS POST'],
  ['/v1/webhooks/{webhook}/deliveries', 'GET HEAD OPTIONS'],
  ['/v1/webhooks/{webhook}/deliveries/{delivery}/redelivery', 'OPTIONS POST'],
  ['/v1/webhooks/{webhook}/redelivery', 'OPTIONS POST'],
] as const;
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'QUERY'];

const at = (template: string) =>
  template.replace('{pet}', pet.id).replace('{order}', order.id).replace('{webhook}', webhookId).replace('{delivery}', webhookId);
const listed = (header: string | undefined) =>
  (header ?? '')
    .split(',')
    .map((method) => method.trim())
    .toSorted()
    .join(' ');

describe.each(ADDRESSES)('%s', (template, allowed) => {
  it(`says to OPTIONS that it takes ${allowed}`, async () => {
    const { status, headers, text } = await shop.ask('OPTIONS', at(template));
    expect({ status, text, allow: listed(headers.allow) }).toEqual({ status: 204, text: '', allow: allowed });
  });

  // Where a search is to be had, methods without one take `search` for a pet's id, which it is not: 400.
  const others = METHODS.filter((method) => !allowed.split(' ').includes(method) && (template !== '/v1/pets/search' || method === 'PATCH'));
  it(`answers ${others.join(', ')} with 405 and what it takes instead`, async () => {
    for (const method of others) {
      const answer = await shop.askAsStaff(method, at(template), ['PUT', 'POST', 'PATCH', 'QUERY'].includes(method) ? { body: {} } : {});
      expectProblem(answer, 405, 'method-not-allowed');
      expect(listed(answer.headers.allow)).toBe(allowed);
    }
  });

  if (allowed.includes('HEAD'))
    it('answers HEAD as GET, without the body', async () => {
      const head = await shop.askAsStaff('HEAD', at(template));
      const get = await shop.askAsStaff('GET', at(template));
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
      for (const name of ['content-type', 'content-length', 'etag']) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      expect(get.status).toBe(200);
    });
});

describe('the addresses', () => {
  it('advertise the search: Accept-Query is application/json', async () => {
    for (const [method, path] of [
      ['OPTIONS', '/v1/pets'],
      ['GET', '/v1/pets'],
      ['OPTIONS', '/v1/pets/search'],
    ] as const)
      expect([path, (await shop.ask(method, path)).headers['accept-query']]).toEqual([path, 'application/json']);
  });

  it.each(['/v1', '/v1/nothing', '/v1/pets/x/y/z', '/v2/pets', '/v1/PETS', '//v1/pets', '/v1/pets/%2e%2e/orders/none'])(
    'that do not exist are a problem too: %s',
    async (path) => {
      const { status, json } = await store.request<{ readonly status: number }>('GET', path);
      expect([400, 404]).toContain(status);
      expect(json.status).toBe(status);
    },
  );

  it('that cannot be decoded are a problem too', async () => {
    expectProblem(await store.request('GET', '/v1/pets/%E0%A4%A'), 400, 'malformed-request');
  });

  it('HEAD on what is not there is 404 without a body', async () => {
    const { status, text } = await shop.ask('HEAD', '/v1/pets/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60');
    expect({ status, text }).toEqual({ status: 404, text: '' });
  });
});
