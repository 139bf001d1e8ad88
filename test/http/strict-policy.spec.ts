import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itOnOwnStore as it, startOwnStore, type OwnStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { card, PRICED_PET, STAFF, type Order, type Page, type Pet } from './shop.js';

let store: OwnStore | undefined;
let staff: string;
let ann: string;
let bob: string;
beforeAll(async () => {
  store = await startOwnStore({ ACCESS_POLICY: 'strict' });
  staff = await store.token(STAFF);
  ann = await store.token('read:pets', { subject: 'ann' });
  bob = await store.token('read:pets', { subject: 'bob' });
});
afterAll(() => store?.stop());

const send = <T = unknown>(method: string, path: string, request: object = {}) => {
  if (!store) throw new Error('there is no store');
  return store.request<T>(method, path, request);
};
const listPet = async () => (await send<Pet>('POST', '/v1/pets', { token: staff, body: PRICED_PET })).json;
const order = async (token: string, fields: object = {}) =>
  send<Order>('POST', '/v1/orders', { token, body: { petId: (await listPet()).id, ...fields } });
const callback = {
  amount: '250.00',
  currency: 'USD',
  timestamp: '2026-01-02T03:04:05Z',
  callbackUrl: 'http://127.0.0.1:1/nobody',
};
const payment = { amount: '250.00', currency: 'USD', source: card() };

/** Proves contract 5.7, contract 5.8, contract 6.4 and contract 13.4. */
describe('under the strict policy', () => {
  it('anyone can read pets', async () => {
    const { id } = await listPet();
    for (const [method, path, options] of [
      ['GET', '/v1/pets', {}],
      ['GET', `/v1/pets/${id}`, {}],
      ['QUERY', '/v1/pets', { body: {} }],
    ] as const)
      expect((await send(method, path, options)).status).toBe(200);
  });

  it('orders, payments and callbacks require a token', async () => {
    const { id } = (await order(ann)).json;
    for (const [method, path, options] of [
      ['POST', '/v1/orders', { body: { petId: randomUUID() } }],
      ['GET', `/v1/orders/${id}`, {}],
      ['DELETE', `/v1/orders/${id}`, {}],
      ['POST', `/v1/orders/${id}/payment`, { body: payment }],
      ['POST', `/v1/orders/${id}`, { body: callback }],
      ['GET', `/v1/orders/${id}/payment`, {}],
      ['GET', `/v1/orders/${id}/receipt`, {}],
    ] as const)
      expectProblem(await send(method, path, options), 401, 'unauthorized');
  });

  it('only the owner and staff have access to an order', async () => {
    const { id } = (await order(ann)).json;
    const path = `/v1/orders/${id}`;
    for (const [method, part, options] of [
      ['GET', '', {}],
      ['GET', '/payment', {}],
      ['GET', '/receipt', {}],
      ['POST', '/payment', { body: payment }],
      ['POST', '', { body: callback }],
      ['DELETE', '', {}],
    ] as const)
      expectProblem(await send(method, path + part, { token: bob, ...options }), 404, 'not-found');
    for (const token of [ann, staff]) expect((await send<Order>('GET', path, { token })).json.userId).toBe('ann');
    expect((await send('POST', `${path}/payment`, { token: ann, body: payment })).status).toBe(201);
    expect((await send('GET', `${path}/payment`, { token: ann })).status).toBe(200);
  });

  it('only staff can order for another user', async () => {
    expectProblem(await order(ann, { userId: 'bob' }), 403, 'forbidden');
    expect((await order(ann, { userId: 'ann' })).json.userId).toBe('ann');
    expect((await order(staff, { userId: 'bob' })).json.userId).toBe('bob');
    const mine = await send<Page<Order>>('GET', '/v1/orders', { token: bob });
    expect(mine.json.data.map(({ userId }) => userId)).toEqual(['bob']);
  });

  it('a token without a tenant cannot act in a tenant, unless it has the scope ops', async () => {
    const tenant = randomUUID();
    expectProblem(await send('GET', '/v1/pets', { token: staff, tenant }), 403, 'forbidden');
    expect((await send('GET', '/v1/pets', { tenant })).status).toBe(200);
    expect((await send('GET', '/v1/pets', { token: await store?.token('ops'), tenant })).status).toBe(200);
    const bound = await store?.token(STAFF, { tenant });
    expect((await send<Pet>('POST', '/v1/pets', { token: bound, body: PRICED_PET })).json.tenantId).toBe(tenant);
  });
});
