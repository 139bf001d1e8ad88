import { METHODS as HTTP_METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../apps/api/operations.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { adoptionsIn } from './adoptions.js';
import { expectFailure, expectProblem } from './problems.js';
import { openShop, STAFF, type Order, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
let pet: Pet;
let order: Order;
let paymentId: string;
let webhookId: string;
let userId: string;
let clientId: string;
let adoptionId: string;
let exportId: string;
/** A token of the account `userId`, with all scopes. */
let token: string;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  ({ pet, order } = await shop.sell());
  paymentId = (await shop.request<{ readonly id: string }>('GET', `/v1/orders/${order.id}/payment`)).json.id;
  const webhook = { url: 'https://shop.example.com/hooks', events: ['payment.failed'] };
  const user = { username: 'ann', email: 'ann@example.com', password: 'correct horse battery' };
  userId = (await shop.request<{ readonly id: string }>('POST', '/v1/users', { body: user })).json.id;
  token = await service.token(`${STAFF} audit:read chat:write ops`, { subject: userId });
  adoptionId = (await adoptionsIn(shop).apply((await shop.listPet()).id)).id;
  const client = { name: 'Pet Finder', redirectUris: ['https://finder.example.com/signed-in'] };
  clientId = (await shop.request<{ readonly id: string }>('POST', '/v1/ops/clients', { token, body: client })).json.id;
  exportId = (await shop.request<{ readonly id: string }>('POST', '/v1/audit/exports', { token, body: {} })).json.id;
  webhookId = (await shop.requestAsStaff<{ readonly id: string }>('POST', '/v1/webhooks', { body: webhook })).json.id;
});
afterAll(() => service.stop());

/** Every path of the interface with its methods. */
const ADDRESSES = [...Map.groupBy(Object.values(OPERATIONS), ({ path }) => path)].map(([path, operations]) => {
  const methods = operations.map(({ method }) => method as string);
  return [path, [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted().join(' ')] as const;
});
/** All methods that Node parses, except CONNECT, which has no path. */
const METHODS = HTTP_METHODS.filter((method) => method !== 'CONNECT');
/** Paths that can only be read. */
const PAGES = [
  '/',
  '/openapi.json',
  '/openapi-3.1.json',
  '/asyncapi.json',
  '/asyncapi-3.0.json',
  '/docs',
  '/docs/events',
  '/docs/reference.json',
  '/docs/signed-in',
  '/ops',
  '/ops/signed-in',
  '/favicon.ico',
  '/errors',
  '/errors/not-found',
  '/health/live',
  '/health/ready',
];

const addressOf = (template: string) =>
  template
    .replace('{stream}', `pet-${pet.id}`)
    .replace(/^(\/v1\/(?:audit\/)?pets\/)\{id\}/, `$1${pet.id}`)
    .replace(/^(\/v1\/(?:audit\/)?orders\/)\{id\}/, `$1${order.id}`)
    .replace(/^(\/v1\/(?:audit\/)?adoptions\/)\{id\}/, `$1${adoptionId}`)
    .replace('payments/{id}', `payments/${paymentId}`)
    .replace(/^(\/v1\/(?:audit\/|ops\/)?users\/)\{id\}/, `$1${userId}`)
    .replace(/^(\/v1\/ops\/clients\/)\{id\}/, `$1${clientId}`)
    .replace('{export}', exportId)
    .replace('models/{id}', 'models/pet-advisor-1')
    .replace(/\/audit\/find$/, '/audit/find?text=Luna')
    // Without it, the stream would last an hour.
    .replace(/\/ops\/live$/, '/ops/live?seconds=0')
    .replace('{kid}', 'A'.repeat(43))
    .replace(/\{\w+\}/g, webhookId);
const sortedMethods = (header: string | undefined) =>
  (header ?? '')
    .split(',')
    .map((method) => method.trim())
    .toSorted()
    .join(' ');

/** Proves contract 2.3 and contract 5.6. */
describe.each(ADDRESSES)('%s', (template, allowed) => {
  it(`answers OPTIONS with Allow: ${allowed}`, async () => {
    const { status, headers, text } = await shop.request('OPTIONS', addressOf(template));
    expect({ status, text, allow: sortedMethods(headers.allow) }).toEqual({ status: 204, text: '', allow: allowed });
  });

  const others = METHODS.filter((method) => !allowed.split(' ').includes(method));
  it(`rejects ${others.length} other methods with 405 and Allow, whatever their bodies`, async () => {
    for (const method of others) {
      for (const options of [{}, { body: {} }, { raw: 'no JSON' }, { raw: 'x', headers: { 'content-type': 'text/plain' } }]) {
        const response = await service.request(method, addressOf(template), options);
        expect([method, options, response.status, sortedMethods(response.headers.allow)]).toEqual([method, options, 405, allowed]);
        if (method !== 'HEAD') expectFailure(template, response, 405, 'method-not-allowed');
      }
    }
  });

  // Paths with two ids are excluded, because `addressOf` inserts no id of an existing nested resource.
  if (allowed.includes('HEAD') && (template.match(/\{/g) ?? []).length < 2)
    it('answers HEAD like GET without a body', async () => {
      const head = await shop.request('HEAD', addressOf(template), { token });
      const get = await shop.request('GET', addressOf(template), { token });
      expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
      for (const name of ['content-type', 'content-length', 'etag']) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      expect(get.status).toBe(200);
    });
});

/** Proves contract 1.4 and contract 2.3. */
describe('the path', () => {
  it.each(PAGES)('%s can only be read', async (path) => {
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'OPTIONS'].includes(name))) {
      const { status, headers } = await service.request(method, path, { raw: 'x', headers: { 'content-type': 'text/plain' } });
      expect([method, status, sortedMethods(headers.allow)]).toEqual([method, 405, 'GET HEAD OPTIONS']);
    }
  });

  it('/v1/nothing returns 404 for every method and body', async () => {
    for (const method of METHODS.filter((name) => name !== 'HEAD'))
      expectProblem(
        await service.request(method, '/v1/nothing', { raw: 'x', headers: { 'content-type': 'text/plain' } }),
        404,
        'not-found',
      );
  });
});

/** Proves contract 2.3 and contract 12.10. */
describe('a path', () => {
  it('of searches has Accept-Query: application/json', async () => {
    for (const [method, path] of [
      ['OPTIONS', '/v1/pets'],
      ['GET', '/v1/pets'],
      ['OPTIONS', '/v1/pets/search'],
    ] as const)
      expect([path, (await shop.request(method, path)).headers['accept-query']]).toEqual([path, 'application/json']);
  });

  it.each(['/v1', '/v1/nothing', '/v1/pets/x/y/z', '/v2/pets', '/v1/PETS', '//v1/pets', '/v1/pets/%2e%2e/orders/none'])(
    'that does not exist returns a problem: %s',
    async (path) => {
      const { status, json } = await service.request<{ readonly status: number }>('GET', path);
      expect([400, 404]).toContain(status);
      expect(json.status).toBe(status);
    },
  );

  it('with invalid percent-encoding returns 400', async () => {
    expectProblem(await service.request('GET', '/v1/pets/%E0%A4%A'), 400, 'malformed-request');
  });

  it('is the same path with and without needless percent-encoding', async () => {
    const put = await service.request('PUT', '/v1/users/m%65', { body: {} });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    for (const [method, path, same] of [
      ['OPTIONS', '/v1/p%65ts', '/v1/pets'],
      ['DELETE', '/v1/p%65ts', '/v1/pets'],
      ['OPTIONS', '/v1/pets/search%7E', '/v1/pets/search~'],
    ] as const) {
      const [encoded, plain] = [await service.request(method, path), await service.request(method, same)];
      expect([path, encoded.status, encoded.headers.allow]).toEqual([path, plain.status, plain.headers.allow]);
    }
    const missing = '/v%31/pets/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
    expectProblem(await service.request('GET', missing, { headers: { accept: 'text/html' } }), 404, 'not-found');
  });

  it('of an unknown resource answers HEAD with 404 without a body', async () => {
    const { status, text } = await shop.request('HEAD', '/v1/pets/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60');
    expect({ status, text }).toEqual({ status: 404, text: '' });
  });
});
