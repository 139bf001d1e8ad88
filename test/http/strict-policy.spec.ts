import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { PRICED_PET, STAFF, type Order, type Page, type Pet } from './shop.js';

let service: OwnPetstore | undefined;
let staff: string;
let ann: string;
let bob: string;
beforeAll(async () => {
  service = await startOwnPetstore({ ACCESS_POLICY: 'strict' });
  staff = await service.token(STAFF);
  ann = await service.token('read:pets', { subject: 'ann' });
  bob = await service.token('read:pets', { subject: 'bob' });
});
afterAll(() => service?.stop());

const send = <T = unknown>(method: string, path: string, request: object = {}) => {
  if (!service) throw new Error('the service has not started');
  return service.request<T>(method, path, request);
};
const listPet = async () => (await send<Pet>('POST', '/v1/pets', { token: staff, body: PRICED_PET })).json;
const order = async (token: string, fields: object = {}) =>
  send<Order>('POST', '/v1/orders', { token, body: { petId: (await listPet()).id, ...fields } });
/** Proves contract 5.7, contract 5.8, contract 6.4 and contract 13.4. */
describe('under the strict policy', () => {
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
    expect((await send('GET', '/v1/pets', { token: await service?.token('ops'), tenant })).status).toBe(200);
    const bound = await service?.token(STAFF, { tenant });
    expect((await send<Pet>('POST', '/v1/pets', { token: bound, body: PRICED_PET })).json.tenantId).toBe(tenant);
  });
});
