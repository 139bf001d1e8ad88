import { afterEach, describe, expect, it } from '@jest/globals';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { projections } from '../../libs/projections/projections.js';
import { eventually } from '../eventually.js';
import type { Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { snapshotOf } from '../servers/snapshot.js';
import { openOwnStore, type OwnStore } from './in-process-store.js';
import { differencesFromReplay } from './replay.js';

const REASON = 'this projection cannot bear the name';

let open: OwnStore | undefined;

const close = async (): Promise<void> => {
  await open?.stop();
  open = undefined;
};

afterEach(async () => {
  await close();
  removeFolders();
});

/** The read models, that of pets with a fault: its handler throws on one name. */
const withFault = (): readonly Projection[] =>
  projections.map((projection) =>
    projection.name === 'pets' ? { ...projection, on: { ...projection.on, PetListed: throwsOn(projection) } } : projection,
  );

const throwsOn = (projection: Projection): Projection['on'][string] => {
  const listed = projection.on['PetListed'];
  if (typeof listed !== 'function') throw new Error('the catalogue ignores new pets');
  return (current, data, meta) => {
    if ((data as { details: { name: string } }).details.name === 'Poison') throw new Error(REASON);
    return listed(current, data, meta);
  };
};

const listed = async (call: Call, name: string): Promise<string> => {
  const answer = await call('POST', '/v1/pets', { body: { name, species: 'BIRD', ageMonths: 2 } });
  // "one that throws parks that key and the append still succeeds"
  expect([name, answer.status]).toEqual([name, 201]);
  return String(answer.json['id']);
};

const approvedOrder = async (call: Call, petId: string): Promise<string> => {
  const order = await call('POST', '/v1/orders', { body: { petId, quantity: 2 } });
  expect(order.status).toBe(201);
  const path = `/v1/orders/${String(order.json['id'])}`;
  const source = { object: 'card', number: '4242424242424242', expMonth: 1, expYear: 2090 };
  expect((await call('POST', `${path}/payment`, { body: { amount: '1.00', currency: 'USD', source } })).status).toBe(201);
  await eventually('the order to be approved', async () => (await call('GET', path)).json['status'] === 'approved');
  return path;
};

const inventory = async (call: Call): Promise<unknown> => (await call('GET', '/v1/inventories')).json;

describe('a projection that throws on one event', () => {
  it('parks that key and says why, while sales go on; mended, it catches up', async () => {
    const dataDir = newFolder();
    open = await openOwnStore(dataDir, { projections: withFault() });
    const { call, lines } = open;
    const before = await listed(call, 'Before');
    const poison = await listed(call, 'Poison');
    const after = await listed(call, 'After');
    expect((await call('GET', `/v1/pets/${poison}`)).status).toBe(404);
    expect((await call('GET', `/v1/pets/${before}`)).status).toBe(200);

    // What happens to the pet goes on happening, unseen by this read model.
    const poisonOrder = await approvedOrder(call, poison);
    await approvedOrder(call, after);
    await eventually(
      'the pet that is seen to be adopted',
      async () => (await call('GET', `/v1/pets/${after}`)).json['status'] === 'ADOPTED',
    );
    expect((await call('GET', poisonOrder)).json['petId']).toBe(poison);
    expect(await inventory(call)).toMatchObject({ AVAILABLE: 1, PENDING: 0, ADOPTED: 1, placed: 0, approved: 4 });
    const said = lines.filter((line) => line.includes(REASON));
    expect(said.some((line) => line.includes(`pet-${poison}`))).toBe(true);
    await close();

    open = await openOwnStore(dataDir);
    const mended = open.call;
    await eventually('the parked pet to be seen', async () => (await mended('GET', `/v1/pets/${poison}`)).json['status'] === 'ADOPTED');
    expect(await inventory(mended)).toMatchObject({ AVAILABLE: 1, PENDING: 0, ADOPTED: 2, approved: 4 });
    await eventually('the read models to equal a replay', () => differencesFromReplay(snapshotOf(dataDir)).length === 0);
  }, 30_000);
});
