import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

/** Proves contract 2.5, contract 5.1 and contract 5.4. Proves rows of contract 42.16. */
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

  it('is accepted with its scheme in upper and lower case', async () => {
    const authorization = `bEARER ${shop.staff}`;
    expect((await shop.request('POST', '/v1/pets', { body: PLAIN_PET, headers: { authorization } })).status).toBe(201);
  });

  it('is checked before the body, so that an unauthorized caller gets no validation errors', async () => {
    expectProblem(await shop.request('POST', '/v1/pets', { raw: '{' }), 401, 'unauthorized');
    expectProblem(await shop.request('POST', '/v1/pets', { raw: '{', token: await service.token('read:pets') }), 403, 'forbidden');
  });
});
