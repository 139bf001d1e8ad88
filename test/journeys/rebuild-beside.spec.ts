import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ProjectionState } from '../../apps/api/ops/projections/projection.dto.js';
import { dayOf } from '../../libs/eventsourcing/day.js';
import { readHistory } from '../../libs/runtime/codec/verified-history.js';
import { eventually } from '../eventually.js';
import type { JsonResponse } from '../servers/calling.js';
import { newFolder } from '../servers/data-folder.js';
import { snapshotOf } from '../servers/snapshot.js';
import { oneStoreAtATime, type InProcessPetstore } from './in-process-petstore.js';
import { differencesFromReplay } from './replay.js';

const { start, close } = oneStoreAtATime();

const act = ({ call }: InProcessPetstore, action: string, body: object = {}, name = 'pets'): Promise<JsonResponse> =>
  call('POST', `/v1/ops/projections/${name}/${action}`, { body });
const stateOf = async ({ call }: InProcessPetstore, name = 'pets'): Promise<ProjectionState> => {
  const states = (await call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
  const state = states.find((one) => one.name === name);
  if (!state) throw new Error(`no read model ${name}`);
  return state;
};
const listPets = async ({ call }: InProcessPetstore, count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { status, json } = await call('POST', '/v1/pets', { body: { name: `Rex ${n}`, species: 'CAT', ageMonths: n, price: '5.00' } });
    expect(status).toBe(201);
    ids.push(String(json['id']));
  }
  return ids;
};
const totalOf = async ({ call }: InProcessPetstore): Promise<unknown> => {
  const { status, json } = await call('GET', '/v1/pets?limit=1');
  expect(status).toBe(200);
  return (json['pagination'] as { totalItems: number }).totalItems;
};
const found = async ({ call }: InProcessPetstore): Promise<unknown> =>
  ((await call('POST', '/v1/pets/search', { body: { criteria: { species: ['CAT'] } } })).json['pagination'] as { totalItems: number })
    .totalItems;
const untilKept = (service: InProcessPetstore, name = 'pets'): Promise<string> =>
  eventually('the fill to replace the read model', async () => (await stateOf(service, name)).keptUntil ?? null);

/** Proves contract 43.6 and contract 43.7. */
describe('a second fill of a read model', () => {
  it('replaces it when it is equal, while requests change and read it; it can be taken back, and dropped', async () => {
    const dataDir = newFolder();
    const service = await start(dataDir);
    await listPets(service, 60);
    expect(await found(service)).toBe(60);
    expect((await act(service, 'rebuild', { reason: 'a row is damaged' })).status).toBe(204);
    expect((await act(service, 'rebuild')).status).toBe(409);
    let pets = 60;
    for (let isKept = false; !isKept; pets++) {
      const [id = ''] = await listPets(service, 1);
      expect((await service.call('GET', `/v1/pets/${id}`)).status).toBe(200);
      expect([await totalOf(service), await found(service)]).toEqual([pets + 1, pets + 1]);
      isKept = (await stateOf(service)).keptUntil !== undefined;
    }
    expect((await stateOf(service)).fill).toBeUndefined();
    await listPets(service, 3);
    expect([await totalOf(service), await found(service)]).toEqual([pets + 3, pets + 3]);
    expect((await act(service, 'switch', { back: true, reason: 'the fill was not needed' })).status).toBe(204);
    await listPets(service, 3);
    expect([await totalOf(service), await found(service)]).toEqual([pets + 6, pets + 6]);
    expect((await act(service, 'drop', { reason: 'it is not needed' })).status).toBe(204);
    expect((await stateOf(service)).keptUntil).toBeUndefined();
    expect((await act(service, 'switch', { back: true })).status).toBe(409);
    const actions = await readHistory(service.store, `operations-${dayOf(service.store.clock.now())}`);
    expect(actions.map(({ type, meta }) => [type, meta.actor])).toEqual([
      ['ProjectionRebuildStarted', 'staff'],
      ['ProjectionSwitched', 'process:projections'],
      ['ProjectionSwitched', 'staff'],
      ['ProjectionFillDropped', 'staff'],
    ]);
    await close();
    expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
    const again = await start(dataDir);
    expect([await totalOf(again), await found(again)]).toEqual([pets + 6, pets + 6]);
  });

  it('that is held waits for a switch, also over a restart, and follows the log meanwhile', async () => {
    const dataDir = newFolder();
    const first = await start(dataDir);
    await listPets(first, 5);
    expect((await act(first, 'rebuild', { hold: true })).status).toBe(204);
    await eventually('the fill to be held', async () => (await stateOf(first)).fill?.state === 'held');
    await close();
    const second = await start(dataDir);
    expect((await stateOf(second)).fill).toMatchObject({ state: 'held', by: 'staff', hold: true });
    await listPets(second, 5);
    expect((await act(second, 'switch')).status).toBe(204);
    expect(await totalOf(second)).toBe(10);
    await close();
    const third = await start(dataDir);
    await listPets(third, 1);
    expect(await totalOf(third)).toBe(11);
    expect((await act(third, 'switch', { back: true })).status).toBe(204);
    expect(await totalOf(third)).toBe(11);
    await close();
    expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
  });

  it('that has the same members in another order is equal', async () => {
    const dataDir = newFolder();
    const [id = ''] = await listPets(await start(dataDir), 3);
    await close();
    const file = new DatabaseSync(join(dataDir, 'petstore.sqlite'));
    const moved = "json_set(json_remove(json, '$.name'), '$.name', json_extract(json, '$.name'))";
    file.prepare(`UPDATE pets_v4 SET json = ${moved}, crc = NULL WHERE key = ?`).run(id);
    file.close();
    const service = await start(dataDir);
    await act(service, 'rebuild');
    await untilKept(service);
  });

  it('that differs waits for an operator, and repairs the read model', async () => {
    const dataDir = newFolder();
    const [id = ''] = await listPets(await start(dataDir), 3);
    await close();
    const file = new DatabaseSync(join(dataDir, 'petstore.sqlite'));
    file.prepare("UPDATE pets_v4 SET json = json_set(json, '$.name', 'Max'), crc = NULL WHERE key = ?").run(id);
    file.close();
    const service = await start(dataDir);
    expect((await service.call('GET', `/v1/pets/${id}`)).json['name']).toBe('Max');
    await act(service, 'rebuild');
    await eventually('the comparison', async () => (await stateOf(service)).fill?.state === 'differs');
    expect((await stateOf(service)).fill?.difference).toBe(`the document ${id} differs`);
    expect((await service.call('GET', `/v1/pets/${id}`)).json['name']).toBe('Max');
    expect((await act(service, 'switch', { reason: 'the fill is right' })).status).toBe(204);
    expect((await service.call('GET', `/v1/pets/${id}`)).json['name']).toBe('Rex 0');
  });

  it('can be made of every read model at once, and of none that is paused', async () => {
    const dataDir = newFolder();
    const service = await start(dataDir);
    await listPets(service, 3);
    await act(service, 'pause', {}, 'users');
    expect((await act(service, 'rebuild', {}, 'users')).status).toBe(409);
    expect((await act(service, 'switch', {}, 'users')).status).toBe(409);
    await act(service, 'resume', {}, 'users');
    const states = (await service.call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
    for (const { name } of states) expect((await act(service, 'rebuild', {}, name)).status).toBe(204);
    for (const { name } of states) await untilKept(service, name);
    await listPets(service, 3);
    await close();
    expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
  });
});
