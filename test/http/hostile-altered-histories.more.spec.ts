import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { backupCommand, restoreCommand } from '../../apps/petstore/commands/backup.command.js';
import { copyCommand } from '../../apps/petstore/commands/copy.command.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { inspectFolder } from '../../apps/petstore/composition/embedded/inspect-folder.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { alter, ALTERATIONS, type Alteration } from './altered-histories.js';
import { expectProblem } from './problems.js';
import { openShop, PRICED_PET, type Page, type Pet, type Shop } from './shop.js';

/** The folder of a stopped store with a pet of three events, another pet and a paid order. */
type StoreFolder = {
  readonly folder: string;
  readonly tenant: string;
  readonly victim: string;
  readonly other: string;
  readonly order: string;
};

/** Addresses at which no server runs. `petstore copy` must reject an altered folder before it connects to them. */
const UNUSED_SERVERS = {
  EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:1/?replicaSet=none',
  KAFKA_BROKERS: '127.0.0.1:1',
};

let filled: StoreFolder;
const running: OwnPetstore[] = [];

beforeAll(async () => {
  const folder = newFolder();
  const service = await startOwnPetstore({ DATA_DIR: folder });
  const shop = await openShop(service);
  const { id: victim } = await shop.listPet({ name: 'Victim' });
  for (const name of ['Once', 'Twice']) await revise(shop, victim, name);
  const { id: other } = await shop.listPet({ name: 'Other' });
  const { order } = await shop.sell();
  await service.stop();
  filled = { folder, tenant: shop.tenant ?? '', victim, other, order: order.id };
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});
afterAll(() => removeFolders());

const copyOfFolder = (): string => {
  const folder = newFolder();
  cpSync(filled.folder, folder, { recursive: true });
  return folder;
};

const alteredCopy = async (alteration: Alteration, stream = `pet-${filled.victim}`): Promise<string> => {
  const folder = copyOfFolder();
  await alter(folder, stream, alteration);
  return folder;
};

const startOn = async (folder: string): Promise<{ service: OwnPetstore; shop: Shop }> => {
  const service = await startOwnPetstore({ DATA_DIR: folder });
  running.push(service);
  return { service, shop: await openShop(service, filled.tenant) };
};

const revise = (shop: Shop, id: string, name: string) =>
  shop.requestAsStaff('PUT', `/v1/pets/${id}`, { body: { ...PRICED_PET, name, status: 'AVAILABLE' } });

const historyOf = async (service: OwnPetstore): Promise<unknown> => {
  const { status, json } = await service.request<{ info: { store: { history: unknown } } }>('GET', '/health/ready');
  expect(status).toBe(200);
  return json.info.store.history;
};

const kindOf = ({ kind }: Alteration): string => `history-${kind}`;

/** Expects that the altered pet can be neither read nor changed, and that other resources work. */
const expectWithdrawn = async (shop: Shop, kind: string): Promise<void> => {
  const { victim, other } = filled;
  expectProblem(await shop.request('GET', `/v1/pets/${victim}`), 503, kind);
  expectProblem(await revise(shop, victim, 'Again'), 503, kind);
  expectProblem(await shop.requestAsStaff('DELETE', `/v1/pets/${victim}`), 503, kind);
  expectProblem(await shop.request('POST', '/v1/orders', { body: { petId: victim } }), 503, kind);
  const list = await shop.request<Page<Pet>>('GET', '/v1/pets');
  expect([list.json.data.map(({ id }) => id), list.json.pagination.totalItems]).toEqual([[other], 1]);
  const found = await shop.request<Page<Pet>>('QUERY', '/v1/pets', { body: { criteria: { species: ['DOG'] } } });
  expect(found.json.data.map(({ id }) => id)).toEqual([other]);
  expect((await shop.requestAsStaff('GET', '/v1/inventories')).json).toMatchObject({ AVAILABLE: 1, ADOPTED: 1 });
  expect((await shop.request('GET', `/v1/pets/${other}`)).status).toBe(200);
  expect((await revise(shop, other, 'Other')).status).toBe(200);
};

/** Proves contract 23.4, contract 23.5 and contract 23.6. */
describe.each(ALTERATIONS)('$name', (alteration) => {
  const { kind } = alteration;

  it('is detected automatically after a start', async () => {
    const { service, shop } = await startOn(await alteredCopy(alteration));
    await eventually('readiness to report it', async () => (await historyOf(service)) === kind);
    await eventually(
      'the pet to be gone from lists',
      async () => (await shop.request<Page<Pet>>('GET', '/v1/pets')).json.data.length === 1,
    );
    await expectWithdrawn(shop, kindOf(alteration));
    // A caller of another tenant gets 404, as for every pet of this tenant.
    const stranger = await openShop(service);
    expectProblem(await stranger.request('GET', `/v1/pets/${filled.victim}`), 404, 'not-found');
  });

  it('is detected by a running service at the first command on the stream', async () => {
    const folder = copyOfFolder();
    const { service, shop } = await startOn(folder);
    expect(await historyOf(service)).toBe('intact');
    await alter(folder, `pet-${filled.victim}`, alteration);
    expectProblem(await revise(shop, filled.victim, 'Again'), 503, kindOf(alteration));
    await eventually(
      'the pet to be gone from lists',
      async () => (await shop.request<Page<Pet>>('GET', '/v1/pets')).json.data.length === 1,
    );
    expect(await historyOf(service)).toBe(kind);
    await expectWithdrawn(shop, kindOf(alteration));
  });

  it('keeps a rebuilt read model out of service until an operator accepts the alteration; then only the pet is missing', async () => {
    const folder = await alteredCopy(alteration);
    const store = await openEmbeddedStore({ directory: folder, log: createLog('silent') });
    const outcome = await store.rebuild({ acceptAltered: false });
    expect(outcome).toMatchObject({ isInService: false });
    expect(outcome.faults).toContainEqual(expect.objectContaining({ stream: `pet-${filled.victim}`, kind }));
    expect(await store.rebuild({ acceptAltered: true })).toMatchObject({ isInService: true, faults: outcome.faults });
    await store.close();
    const { service: started, shop } = await startOn(folder);
    expect(await historyOf(started)).toBe(kind);
    await expectWithdrawn(shop, kindOf(alteration));
  });

  it(
    kind === 'altered'
      ? 'is backed up only as evidence, and neither restored nor copied'
      : 'is backed up and restored unchanged, because its chain is whole',
    async () => {
      const folder = await alteredCopy(alteration);
      const [backup, evidence, restored] = [join(newFolder(), 'b'), join(newFolder(), 'e'), join(newFolder(), 'r')];
      const settings = parseSettings({ DATA_DIR: folder });
      if (kind === 'unreadable') {
        await backupCommand(settings, backup);
        await restoreCommand(parseSettings({ DATA_DIR: restored }), backup);
        expect(readdirSync(restored)).toContain('petstore.sqlite');
        return;
      }
      const stream = `pet-${filled.victim}`;
      await expect(backupCommand(settings, backup)).rejects.toThrow(stream);
      await expect(copyCommand(parseSettings({ DATA_DIR: folder, ...UNUSED_SERVERS }), 'distributed')).rejects.toThrow(stream);
      expect(existsSync(backup)).toBe(false);
      await expect(backupCommand(settings, evidence, { asEvidence: true })).rejects.toThrow('as evidence');
      expect(readFileSync(join(evidence, 'ALTERED-HISTORY.txt'), 'utf8')).toContain(stream);
      await expect(restoreCommand(parseSettings({ DATA_DIR: restored }), evidence)).rejects.toThrow(/Nothing was restored.*evidence/s);
      await expect(restoreCommand(parseSettings({ DATA_DIR: restored }), folder)).rejects.toThrow(stream);
      expect(existsSync(restored)).toBe(false);
      expect(await inspectFolder(evidence)).toContainEqual(expect.objectContaining({ stream, kind }));
    },
  );
});

/** Proves contract 23.6. */
describe('an altered payment', () => {
  it('makes the payment and the receipt of its order return 503; the order can be read', async () => {
    const { shop: before, service: first } = await startOn(copyOfFolder());
    const { json } = await before.request<{ id: string }>('GET', `/v1/orders/${filled.order}/payment`);
    await first.stop();
    running.splice(0);
    const amount: Alteration = {
      name: 'a changed amount',
      kind: 'altered',
      apply: (database, stream) =>
        void database.prepare(`UPDATE events SET data = replace(data, '"250.00"', '"1.00"') WHERE stream = ?`).run(stream),
    };
    const { service, shop } = await startOn(await alteredCopy(amount, `payment-${json.id}`));
    await eventually('readiness to report it', async () => (await historyOf(service)) === 'altered');
    const order = `/v1/orders/${filled.order}`;
    await eventually('the payment to be withdrawn', async () => (await shop.request('GET', `${order}/payment`)).status === 503);
    for (const path of [`${order}/payment`, `${order}/receipt`]) expectProblem(await shop.request('GET', path), 503, 'history-altered');
    expect((await shop.request('GET', order)).status).toBe(200);
  });
});

/** Proves contract 23.5. */
describe('a log without its last events', () => {
  it('is detected by the checkpoints of its readers', async () => {
    const cut: Alteration = {
      name: 'a cut log',
      kind: 'altered',
      apply: (database) => void database.exec('DELETE FROM events WHERE position > (SELECT max(position) - 2 FROM events)'),
    };
    const folder = await alteredCopy(cut);
    expect((await inspectFolder(folder)).map(({ reason }) => reason).join()).toContain('missing');
    const { service } = await startOn(folder);
    await eventually('readiness to report it', async () => (await historyOf(service)) === 'altered');
  });
});

/** Proves contract 23.6. */
describe('a stream that is whole again', () => {
  it('is projected by a retry, and its pet is listed and counted once', async () => {
    const [price] = ALTERATIONS;
    if (!price) throw new Error('there is no alteration');
    const folder = await alteredCopy(price);
    const store = await openEmbeddedStore({ directory: folder, log: createLog('silent') });
    expect(await store.rebuild({ acceptAltered: false })).toMatchObject({ isInService: false });
    expect([store.faults.state(), await store.retryParkedStreams()]).toEqual(['altered', 0]);
    const repair = {
      ...price,
      apply: (database: DatabaseSync, stream: string) =>
        void database.prepare(`UPDATE events SET data = replace(data, '"1.00"', '"250.00"') WHERE stream = ?`).run(stream),
    };
    await alter(folder, `pet-${filled.victim}`, repair);
    // The stream was parked in two read models: that of pets, and that of the names of pets.
    expect([await store.retryParkedStreams(), store.faults.state()]).toEqual([2, 'intact']);
    await store.close();
    const { shop } = await startOn(folder);
    const list = await shop.request<Page<Pet>>('GET', '/v1/pets');
    expect([list.json.data.length, list.json.pagination.totalItems]).toEqual([2, 2]);
    expect((await revise(shop, filled.victim, 'Again')).status).toBe(200);
  });
});
