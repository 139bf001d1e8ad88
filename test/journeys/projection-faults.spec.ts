import { describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { Call } from '../servers/calling.js';
import { newFolder } from '../servers/data-folder.js';
import { snapshotOf } from '../servers/snapshot.js';
import { failingProjections, POISON, REJECTS } from './failing-projections.js';
import { oneStoreAtATime } from './in-process-petstore.js';
import { differencesFromReplay } from './replay.js';

const { start, close } = oneStoreAtATime();

const listPet = async (call: Call, name: string): Promise<string> => {
  const response = await call('POST', '/v1/pets', { body: { name, species: 'BIRD', ageMonths: 2 } });
  // The append succeeds although the projection throws (contract 24.3).
  expect([name, response.status]).toEqual([name, 201]);
  return String(response.json['id']);
};

const buyPet = async (call: Call, petId: string): Promise<string> => {
  const order = await call('POST', '/v1/orders', { body: { petId, quantity: 2 } });
  expect(order.status).toBe(201);
  const path = `/v1/orders/${String(order.json['id'])}`;
  const source = { object: 'card', number: '4242424242424242', expMonth: 1, expYear: 2090 };
  expect((await call('POST', `${path}/payment`, { body: { amount: '1.00', currency: 'USD', source } })).status).toBe(201);
  await eventually('the order to be approved', async () => (await call('GET', path)).json['status'] === 'approved');
  return path;
};

const inventory = async (call: Call): Promise<unknown> => (await call('GET', '/v1/inventories')).json;

/** Proves contract 24.3. */
describe('a projection that throws on one event', () => {
  it('parks that stream and logs the reason; other streams continue, and the fixed projection catches up', async () => {
    const dataDir = newFolder();
    const { call, lines } = await start(dataDir, { projections: failingProjections('PetListed') });
    const before = await listPet(call, 'Before');
    const poison = await listPet(call, POISON);
    const after = await listPet(call, 'After');
    expect((await call('GET', `/v1/pets/${poison}`)).status).toBe(404);
    expect((await call('GET', `/v1/pets/${before}`)).status).toBe(200);

    // The pet can still be ordered and adopted, although the read model of pets does not show it.
    const poisonOrder = await buyPet(call, poison);
    await buyPet(call, after);
    await eventually('the other pet to be adopted', async () => (await call('GET', `/v1/pets/${after}`)).json['status'] === 'ADOPTED');
    expect((await call('GET', poisonOrder)).json['petId']).toBe(poison);
    expect(await inventory(call)).toMatchObject({ AVAILABLE: 1, PENDING: 0, ADOPTED: 1, placed: 0, approved: 4 });
    const reported = lines.filter((line) => line.includes(REJECTS));
    expect(reported.some((line) => line.includes(`pet-${poison}`))).toBe(true);
    await close();

    const { call: callFixed } = await start(dataDir);
    await eventually(
      'the parked pet to be visible',
      async () => (await callFixed('GET', `/v1/pets/${poison}`)).json['status'] === 'ADOPTED',
    );
    expect(await inventory(callFixed)).toMatchObject({ AVAILABLE: 1, PENDING: 0, ADOPTED: 2, approved: 4 });
    await eventually('the read models to equal a replay', () => differencesFromReplay(snapshotOf(dataDir)).length === 0);
  });
});
