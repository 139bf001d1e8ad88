import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { card, openShop, PLAIN_PET, type Order, type Pet, type Shop } from './shop.js';

const ALL_SCOPES = 'read:pets write:pets write:orders write:webhooks audit:read ops chat:write';

let store: TestStore;
let shop: Shop;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
});
afterAll(() => store.stop());

type Scene = { readonly pet: Pet; readonly order: Order };
type Row = {
  readonly operation: string;
  readonly method: string;
  readonly path: (scene: Scene) => string;
  readonly body?: (scene: Scene) => unknown;
  /** A scope; `any` for any valid token; `none` for no credential. */
  readonly credential: string;
  readonly success: number;
};

const pets = () => '/v1/pets';
const petPath = ({ pet }: Scene) => `/v1/pets/${pet.id}`;
const orders = () => '/v1/orders';
const orderPath =
  (part = '') =>
  ({ order }: Scene) =>
    `/v1/orders/${order.id}${part}`;

/** The operations of contract 5.6. Each request uses its own scene: a pet, and an approved order. */
const TABLE: readonly Row[] = [
  { operation: 'getPet', method: 'GET', path: petPath, credential: 'none', success: 200 },
  { operation: 'listPets', method: 'GET', path: pets, credential: 'none', success: 200 },
  { operation: 'searchPets', method: 'QUERY', path: pets, body: () => ({}), credential: 'none', success: 200 },
  { operation: 'searchPets by path', method: 'QUERY', path: () => '/v1/pets/search', body: () => ({}), credential: 'none', success: 200 },
  { operation: 'searchPets by POST', method: 'POST', path: () => '/v1/pets/search', body: () => ({}), credential: 'none', success: 200 },
  { operation: 'createPet', method: 'POST', path: pets, body: () => PLAIN_PET, credential: 'write:pets', success: 201 },
  { operation: 'updatePet', method: 'PUT', path: petPath, body: ({ pet }) => pet, credential: 'write:pets', success: 200 },
  { operation: 'deletePet', method: 'DELETE', path: petPath, credential: 'write:pets', success: 204 },
  { operation: 'createOrder', method: 'POST', path: orders, body: ({ pet }) => ({ petId: pet.id }), credential: 'none', success: 201 },
  { operation: 'getOrder', method: 'GET', path: orderPath(), credential: 'none', success: 200 },
  { operation: 'deleteOrder', method: 'DELETE', path: orderPath(), credential: 'none', success: 204 },
  {
    operation: 'callbackOrder',
    method: 'POST',
    path: orderPath(),
    body: () => ({ amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: 'http://127.0.0.1:1/nobody' }),
    credential: 'none',
    success: 201,
  },
  { operation: 'getCallbackPublicKey', method: 'GET', path: () => '/v1/webhooks/public-key', credential: 'none', success: 200 },
  { operation: 'listOrders', method: 'GET', path: orders, credential: 'any', success: 200 },
  { operation: 'shipOrder', method: 'POST', path: orderPath('/shipment'), credential: 'write:orders', success: 200 },
  {
    operation: 'createOrderPayment',
    method: 'POST',
    path: orderPath('/payment'),
    body: () => ({ amount: '250.00', currency: 'USD', source: card() }),
    credential: 'none',
    success: 409,
  },
  { operation: 'getOrderPayment', method: 'GET', path: orderPath('/payment'), credential: 'none', success: 200 },
  { operation: 'getOrderReceipt', method: 'GET', path: orderPath('/receipt'), credential: 'none', success: 200 },
  { operation: 'getInventory', method: 'GET', path: () => '/v1/inventories', credential: 'any', success: 200 },
];

const sceneOf = async (): Promise<Scene> => ({ pet: await shop.listPet(), order: (await shop.sell()).order });

/** Proves contract 5.4, contract 5.5 and contract 5.6. */
describe.each(TABLE)('$operation ($credential)', ({ method, path, body, credential, success }) => {
  const request = async (token: string | undefined, scene?: Scene) => {
    const on = scene ?? (await sceneOf());
    return shop.request(method, path(on), { token, ...(body && { body: body(on) }) });
  };
  const others = ALL_SCOPES.split(' ').filter((scope) => scope !== credential);

  it(`returns ${success} with the required credential`, async () => {
    const token = credential === 'none' ? undefined : await store.token(credential === 'any' ? 'chat:write' : credential);
    expect((await request(token)).status).toBe(success);
  });

  it('rejects an invalid token with 401, even if the operation needs no token', async () => {
    for (const token of ['nonsense', 'a.b.c']) {
      const answer = await request(token);
      expectProblem(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
    }
  });

  if (credential !== 'none')
    it('rejects a request without a token with 401 and a challenge', async () => {
      const answer = await request(undefined);
      expectProblem(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
      expect(answer.headers['www-authenticate']).not.toContain('error=');
    });

  if (credential.includes(':'))
    it('rejects every other scope with 403 and changes nothing', async () => {
      const scene = await sceneOf();
      for (const token of [await store.token(others.join(' ')), await store.token('audit:read')]) {
        const answer = await request(token, scene);
        expectProblem(answer, 403, 'forbidden');
        expect(answer.headers['www-authenticate']).toContain('insufficient_scope');
      }
      expect((await shop.request('GET', petPath(scene))).json).toEqual(scene.pet);
      expect((await shop.request('GET', orderPath()(scene))).json).toEqual(scene.order);
    });
});

/** Proves contract 2.5, contract 5.1 and contract 5.4. */
describe('an Authorization header', () => {
  it.each([
    ['names another scheme', 'Basic c3RhZmY6cGFzc3dvcmQ='],
    ['has no token', 'Bearer'],
    ['has an empty token', 'Bearer '],
    ['has two tokens', 'Bearer a.b.c d.e.f'],
    ['is empty', ''],
  ])('that %s gets 401', async (_, authorization) => {
    expectProblem(await shop.request('POST', '/v1/pets', { body: PLAIN_PET, headers: { authorization } }), 401, 'unauthorized');
  });

  it('names its scheme in any case', async () => {
    const authorization = `bEARER ${shop.staff}`;
    expect((await shop.request('POST', '/v1/pets', { body: PLAIN_PET, headers: { authorization } })).status).toBe(201);
  });

  it('is checked before the body, so that an unauthorized caller gets no validation errors', async () => {
    expectProblem(await shop.request('POST', '/v1/pets', { raw: '{' }), 401, 'unauthorized');
    expectProblem(await shop.request('POST', '/v1/pets', { raw: '{', token: await store.token('read:pets') }), 403, 'forbidden');
  });
});
