import { afterEach, describe, expect, it } from '@jest/globals';
import type { ParkedList, SkippedEvents } from '../../apps/api/ops/parked/parked.dto.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import type { EncodedEvent, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { fillFolder } from './fill-folder.js';
import { incompleteAdoption, brokenPhotos } from './poisoned-events.js';
import { differencesFromReplay } from './replay.js';

const PETS = 300;
const POISONED = 4;
const ROUNDS = 30;
/** The longest time in milliseconds from a request to the kill. */
const LONGEST = 60;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Creates a folder with pets, and appends an event to the first of them. Returns the folder and these streams. */
const folderWith = async (count: number, encode: (last: StoredEvent) => Promise<readonly EncodedEvent[]>) => {
  const dataDir = newFolder();
  await fillFolder(dataDir, PETS);
  const opened = await openEmbeddedStore({ directory: dataDir, log: createLog('silent') });
  const listed = (await opened.store.readAll(0, PETS)).filter(({ type }) => type === 'PetListed').slice(0, count);
  for (const last of listed) await opened.store.append(last.stream, last.revision, await encode(last));
  await opened.close();
  return { dataDir, streams: listed.map(({ stream }) => stream), token: await tokenFor(dataDir) };
};

const parkedIn = async (call: Call): Promise<ReadonlySet<string>> => {
  const { causes } = (await call('GET', '/v1/ops/parked?limit=100')).json as unknown as ParkedList;
  return new Set(causes.flatMap(({ items }) => items.map(({ stream }) => stream)));
};
const skippedIn = async (call: Call): Promise<ReadonlySet<string>> => {
  const { data } = (await call('GET', '/v1/ops/parked/skipped')).json as unknown as SkippedEvents;
  return new Set(data.map(({ stream }) => stream));
};

/** Proves contract 43.8. */
describe('a skip', () => {
  it('that was answered holds after a kill at any step, and each stream waits exactly if its event is not skipped', async () => {
    const random = createRandom(20_261_130);
    const { dataDir, streams, token } = await folderWith(POISONED, brokenPhotos);
    let service: ServiceProcess = await startServiceProcess({ dataDir });
    let call: Call = caller(service.url, token);
    await eventually('the streams to be parked', async () => (await parkedIn(call)).size === POISONED);
    const act = async (action: string, stream: string): Promise<number> => {
      const body = { name: 'pets', stream, revision: 1, ...(action === 'skip' && { reason: 'the photos are no list' }) };
      return (await call('POST', `/v1/ops/parked/${action}`, { body })).status;
    };
    let before: ReadonlySet<string> = new Set();
    for (let round = 0; round < ROUNDS; round++) {
      const stream = streams[Math.floor(random() * streams.length)] ?? '';
      const action = before.has(stream) ? 'unskip' : 'skip';
      const acting = act(action, stream).catch(() => 0);
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST));
      await service.kill9();
      const status = await acting;
      service = await startServiceProcess({ dataDir });
      call = caller(service.url, token);
      const skipped = await skippedIn(call);
      expect([round, [0, 200].includes(status)]).toEqual([round, true]);
      if (status === 200) expect([round, skipped.has(stream)]).toEqual([round, action === 'skip']);
      expect([round, [...skipped].filter((one) => one !== stream)]).toEqual([round, [...before].filter((one) => one !== stream)]);
      await eventually('the streams to wait whose events count', async () => {
        const parked = await parkedIn(call);
        return streams.every((one) => parked.has(one) !== skipped.has(one));
      });
      before = skipped;
    }
    for (const stream of streams) if (!before.has(stream)) expect(await act('skip', stream)).toBe(200);
    expect((await parkedIn(call)).size).toBe(0);
    await service.stop();
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
  });

  it('lets a consumer pass a message that it cannot handle, and handle the later ones', async () => {
    const { dataDir, streams, token } = await folderWith(1, incompleteAdoption);
    const service = await startServiceProcess({ dataDir });
    const call = caller(service.url, token);
    const [stream = ''] = streams;
    const { causes } = await eventually('the key to be parked', async () => {
      const parked = (await call('GET', '/v1/ops/parked')).json as unknown as ParkedList;
      return parked.count > 0 ? parked : null;
    });
    expect(causes).toMatchObject([
      { kind: 'key', name: 'processes', items: [{ stream, revision: 1, eventType: 'PetAdoptedByApplication' }] },
    ]);
    const retried = await call('POST', '/v1/ops/parked/retry', { body: { all: true } });
    expect(retried.json).toMatchObject({ results: [{ outcome: 'parked' }] });
    const body = { name: 'processes', stream, revision: 1, reason: 'no application is named' };
    expect((await call('POST', '/v1/ops/parked/skip', { body })).json).toMatchObject({ outcome: 'released' });
    expect((await parkedIn(call)).size).toBe(0);
    await service.stop();
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
  });
});
