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

const act = async ({ call }: InProcessPetstore, name: string, action: 'pause' | 'resume', reason?: string): Promise<void> => {
  const { status } = await call('POST', `/v1/ops/projections/${name}/${action}`, { body: reason === undefined ? {} : { reason } });
  expect([name, action, status]).toEqual([name, action, 204]);
};
const stateOf = async ({ call }: InProcessPetstore, name: string): Promise<ProjectionState | undefined> =>
  ((await call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[]).find((state) => state.name === name);
const listPet = async ({ call }: InProcessPetstore): Promise<string> => {
  const { status, json } = await call('POST', '/v1/pets', { body: { name: 'Rex', species: 'CAT', ageMonths: 4 } });
  expect(status).toBe(201);
  return String(json['id']);
};
const readPet = ({ call }: InProcessPetstore, id: string): Promise<JsonResponse> => call('GET', `/v1/pets/${id}`);
const shown = ({ status, headers }: JsonResponse): readonly unknown[] => [status, headers['consistency']];

/** Proves contract 43.1, contract 43.4 and contract 43.5. */
describe('a paused read model', () => {
  it('shows what it has, also after a restart, until it is resumed; writes and other read models go on', async () => {
    const dataDir = newFolder();
    const service = await start(dataDir);
    const before = await listPet(service);
    expect(shown(await readPet(service, before))).toEqual([200, undefined]);
    await act(service, 'pets', 'pause', 'a release repairs it');
    await act(service, 'pets', 'pause');
    const meanwhile = await listPet(service);
    expect(shown(await readPet(service, before))).toEqual([200, 'stale']);
    expect(shown(await readPet(service, meanwhile))).toEqual([404, 'stale']);
    const { json: order } = await service.call('POST', '/v1/orders', { body: { petId: meanwhile } });
    expect(shown(await service.call('GET', `/v1/orders/${String(order['id'])}`))).toEqual([200, undefined]);
    expect(await stateOf(service, 'pets')).toMatchObject({ status: 'paused', pause: { by: 'staff', reason: 'a release repairs it' } });
    expect((await stateOf(service, 'pets'))?.behind).toBeGreaterThan(1);
    const { info } = (await service.call('GET', '/health/ready')).json as unknown as { info: { store: { paused: string[] } } };
    expect(info.store.paused).toEqual(['pets']);
    const actions = await readHistory(service.store, `operations-${dayOf(service.store.clock.now())}`);
    expect(actions.map(({ type, data }) => [type, data])).toEqual([
      ['ProjectionPaused', { projection: 'pets', reason: 'a release repairs it' }],
    ]);
    await close();

    const again = await start(dataDir);
    expect(again.lines.some((line) => line.includes('the read model pets is paused'))).toBe(true);
    expect(shown(await readPet(again, before))).toEqual([200, 'stale']);
    expect(shown(await readPet(again, meanwhile))).toEqual([404, 'stale']);
    await listPet(again);
    await act(again, 'pets', 'resume');
    await eventually('the read model to run', async () => (await stateOf(again, 'pets'))?.status === 'running');
    expect(shown(await readPet(again, meanwhile))).toEqual([200, undefined]);
    const later = await listPet(again);
    expect(shown(await readPet(again, later))).toEqual([200, undefined]);
    expect((await again.call('GET', '/health/ready')).json).toMatchObject({ info: { store: { writable: true } } });
    expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
  });

  it('is up to date soon after it is resumed', async () => {
    const service = await start(newFolder());
    await listPet(service);
    await act(service, 'users', 'pause');
    await act(service, 'users', 'resume');
    await eventually('the read model to run', async () => (await stateOf(service, 'users'))?.status === 'running');
    expect(await stateOf(service, 'users')).toMatchObject({ behind: 0, behindSeconds: 0, parked: 0 });
  });

  it.each(['pause', 'resume'])('must exist, and its %s has a reason of at most 500 characters', async (action) => {
    const service = await start(':memory:');
    expect((await service.call('POST', `/v1/ops/projections/cats/${action}`, { body: {} })).status).toBe(404);
    const { status, json } = await service.call('POST', `/v1/ops/projections/pets/${action}`, { body: { reason: 'x'.repeat(501) } });
    expect([status, json['errors']]).toMatchObject([422, [{ field: 'reason', code: 'too_long' }]]);
  });
});
