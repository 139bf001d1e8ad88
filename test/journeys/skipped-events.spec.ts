import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import type { ParkedList } from '../../apps/api/ops/parked/parked.dto.js';
import type { ProjectionState } from '../../apps/api/ops/projections/projection.dto.js';
import { backupFolder, restoreBackup } from '../../libs/adapters/sqlite/index.js';
import { dayOf } from '../../libs/eventsourcing/day.js';
import { copyKeptDocuments } from '../../libs/application/state/kept-documents.js';
import { copyLog } from '../../libs/runtime/codec/copy-log.js';
import { readHistory } from '../../libs/runtime/codec/verified-history.js';
import { eventually } from '../eventually.js';
import { caller, type Call, type JsonResponse } from '../servers/calling.js';
import { newFolder } from '../servers/data-folder.js';
import { snapshotOf } from '../servers/snapshot.js';
import { failingProjections, POISON, REJECTS } from './failing-projections.js';
import { oneStoreAtATime, openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';
import { differencesFromReplay } from './replay.js';

const { start: startStore, close } = oneStoreAtATime();

const start = (dataDir: string, isRepaired: () => boolean = () => false): Promise<InProcessPetstore> =>
  startStore(dataDir, { projections: failingProjections('PetDetailsRevised', isRepaired) });

const REX = { name: 'Rex', species: 'BIRD', ageMonths: 2, price: '5.00' };
const REASON = 'the name came from a broken import';

const skip = ({ call }: InProcessPetstore, stream: string, revision: number): Promise<JsonResponse> =>
  call('POST', '/v1/ops/parked/skip', { body: { name: 'pets', stream, revision, reason: REASON } });
const unskip = ({ call }: InProcessPetstore, stream: string, revision: number): Promise<JsonResponse> =>
  call('POST', '/v1/ops/parked/unskip', { body: { name: 'pets', stream, revision } });
const parkedIn = async ({ call }: InProcessPetstore): Promise<ParkedList> =>
  (await call('GET', '/v1/ops/parked')).json as unknown as ParkedList;

/** Returns a caller with the token of an auditor. */
const auditorOf = async ({ url, store }: InProcessPetstore): Promise<Call> => {
  const tokens = await openTokens(store.keys, store.clock);
  return caller(url, await tokens.sign({ subject: 'auditor', scopes: ['audit:read'], expiresInSeconds: 3_600 }));
};

/** Sets the status of a pet that was renamed to Poison, so that only the status changes. */
const setStatus = ({ call }: InProcessPetstore, path: string, status: string, ifMatch?: string): Promise<JsonResponse> =>
  call('PUT', path, { body: { ...REX, name: POISON, status }, ...(ifMatch !== undefined && { ifMatch }) });

/** Lists a pet, renames it to Poison, which parks its stream, and sets its status. */
const givenParked = async (service: InProcessPetstore) => {
  const { call } = service;
  const idempotencyKey = 'skipped-events-0001';
  const created = await call('POST', '/v1/pets', { body: REX, idempotencyKey });
  const path = `/v1/pets/${String(created.json['id'])}`;
  for (const status of ['AVAILABLE', 'PENDING']) expect((await setStatus(service, path, status)).status).toBe(200);
  return { path, stream: `pet-${String(created.json['id'])}`, created, idempotencyKey };
};

/** Proves contract 43.8. */
describe('a skipped event', () => {
  it('is left out by each fold of its read model: reads, answers, entity tags, the past, the history and a replayed creation', async () => {
    const dataDir = newFolder();
    const service = await start(dataDir);
    const { call } = service;
    const { path, stream, created, idempotencyKey } = await givenParked(service);
    expect(await parkedIn(service)).toMatchObject({ count: 1, causes: [{ name: 'pets', items: [{ stream, revision: 1 }] }] });

    expect(await skip(service, stream, 1)).toMatchObject({ status: 200, json: { name: 'pets', stream, revision: 1, outcome: 'released' } });
    expect(await parkedIn(service)).toMatchObject({ count: 0 });
    const read = await call('GET', path);
    expect(read.json).toMatchObject({ name: 'Rex', status: 'PENDING' });
    const audit = await auditorOf(service);
    const history = (await audit('GET', `/v1/audit/streams/${stream}`)).json['data'] as readonly Record<string, unknown>[];
    expect(history.map(({ skippedBy, changes }) => [skippedBy, (changes as readonly object[]).length > 0])).toEqual([
      [undefined, true],
      [['pets'], false],
      [undefined, true],
    ]);
    expect((await audit('GET', `/v1/audit${path.slice(3)}?revision=1`)).json).toMatchObject({ state: { name: 'Rex' } });

    const answer = await setStatus(service, path, 'AVAILABLE', read.headers.etag);
    expect([answer.status, answer.json]).toMatchObject([200, { name: 'Rex', status: 'AVAILABLE' }]);
    expect((await call('GET', path)).headers.etag).toBe(answer.headers.etag);
    const replaced = await call('PUT', path, { body: { ...REX, name: 'Max', status: 'AVAILABLE' }, ifMatch: answer.headers.etag ?? '' });
    expect([replaced.status, replaced.json]).toMatchObject([200, { name: 'Max' }]);
    const replayed = await call('POST', '/v1/pets', { body: REX, idempotencyKey });
    expect([replayed.status, replayed.json]).toEqual([created.status, created.json]);
    expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
    expect((await call('GET', '/v1/ops/parked/skipped')).json).toMatchObject({
      data: [{ name: 'pets', stream, revision: 1, by: 'staff', reason: REASON }],
    });
  });

  it('stays left out after a restart, in a rebuild, and in a restored backup, until it is unskipped', async () => {
    const dataDir = newFolder();
    let isRepaired = false;
    let service = await start(dataDir, () => isRepaired);
    const { path, stream } = await givenParked(service);
    await skip(service, stream, 1);
    const shown = (await service.call('GET', path)).headers.etag;
    await close();
    service = await start(dataDir, () => isRepaired);
    expect([(await service.call('GET', path)).headers.etag, (await parkedIn(service)).count]).toEqual([shown, 0]);
    expect((await setStatus(service, path, 'AVAILABLE', shown)).status).toBe(200);

    expect((await service.call('POST', '/v1/ops/projections/pets/rebuild', { body: {} })).status).toBe(204);
    expect((await skip(service, stream, 2)).status).toBe(409);
    await eventually('the fill to replace the read model', async () => {
      const states = (await service.call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
      return states.find(({ name }) => name === 'pets')?.keptUntil ?? null;
    });
    expect([(await service.call('GET', path)).json['name'], (await parkedIn(service)).count]).toEqual(['Rex', 0]);

    expect((await unskip(service, stream, 1)).json).toMatchObject({ outcome: 'parked', revision: 1, error: `${REJECTS} in ${stream}` });
    expect((await service.call('GET', path)).json).toMatchObject({ name: 'Rex', status: 'AVAILABLE' });
    expect((await unskip(service, stream, 1)).status).toBe(409);
    expect((await skip(service, stream, 1)).json).toMatchObject({ outcome: 'released' });
    await close();

    const [backup, restored] = [join(newFolder(), 'backup'), join(newFolder(), 'restored')];
    await backupFolder(dataDir, backup);
    await restoreBackup(backup, restored);
    service = await start(restored, () => isRepaired);
    expect((await service.call('GET', path)).json).toMatchObject({ name: 'Rex', status: 'AVAILABLE' });
    expect((await parkedIn(service)).count).toBe(0);
    const skipped = (await service.call('GET', path)).headers.etag ?? '';
    isRepaired = true;
    expect((await unskip(service, stream, 1)).json).toMatchObject({ outcome: 'released' });
    const unskipped = await service.call('GET', path, { headers: { 'if-none-match': skipped } });
    expect([unskipped.status, unskipped.json]).toMatchObject([200, { name: POISON, status: 'AVAILABLE' }]);
    expect((await setStatus(service, path, 'PENDING', skipped)).status).toBe(412);
    const answer = await setStatus(service, path, 'PENDING', unskipped.headers.etag);
    expect([answer.status, answer.headers.etag]).toEqual([200, (await service.call('GET', path)).headers.etag]);
    expect(differencesFromReplay(snapshotOf(restored))).toEqual([]);
    const actions = await readHistory(service.store, `operations-${dayOf(service.store.clock.now())}`);
    expect(actions.map(({ type, data }) => [type, (data as { reason?: string }).reason])).toEqual([
      ['EventSkipped', REASON],
      ['ProjectionRebuildStarted', undefined],
      ['ProjectionSwitched', undefined],
      ['EventUnskipped', undefined],
      ['EventSkipped', REASON],
      ['EventUnskipped', undefined],
    ]);
  });

  it('stays left out in a copy of the store', async () => {
    const service = await start(':memory:');
    const { path, stream } = await givenParked(service);
    await skip(service, stream, 1);
    const copy = await openInProcessStore(':memory:', { projections: failingProjections('PetDetailsRevised') });
    try {
      const { documents, work, clock, decisions, store } = copy.store;
      await copyKeptDocuments(service.store.documents, { documents, work, clock });
      await decisions.refresh();
      await copyLog(service.store.store, store, () => undefined);
      expect((await copy.call('GET', path)).json).toEqual((await service.call('GET', path)).json);
      expect((await parkedIn(copy)).count).toBe(0);
    } finally {
      await copy.stop();
    }
  });
});
