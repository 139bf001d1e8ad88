import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ParkedList, SkippedEvents } from '../../../apps/api/ops/parked/parked.dto.js';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import type { EncodedEvent, EventStore, StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../../eventually.js';
import { expectInvariant } from '../../expect-invariant.js';
import { caller, type Call, type JsonResponse } from '../../servers/calling.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { silentLog } from '../../silent-log.js';
import { brokenPhotos, incompleteAdoption } from '../poisoned-events.js';
import { differencesFromReplay } from '../replay.js';
import { openClusterStorage } from './cluster-storage.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { waitUntilSettled } from './settled.js';

const NAME = 'skipped events on several machines';
const ROUNDS = 8;
const PET = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };

describeIfAvailable(NAME, await startClusterIfAvailable(), (cluster) => {
  /** Proves contract 43.8. */
  describe(NAME, () => {
    let one: Call;
    let other: Call;
    let store: EventStore & { close(): Promise<void> };

    beforeAll(async () => {
      const { token } = await openSession(cluster);
      const [first, second] = cluster.apis.map(({ url }) => caller(url, token));
      if (!first || !second) throw new Error('there are no two apis');
      [one, other] = [first, second];
      const url = cluster.settings['EVENTSTOREDB_URL'] ?? '';
      store = await openEventStore({ url, clock: systemClock, log: silentLog, streams: STREAM_PREFIXES });
    });
    afterAll(async () => {
      await store.close();
      await cluster.close();
    });

    /** Lists a pet, and appends an event to its stream. */
    const givenPet = async (encode: (last: StoredEvent) => Promise<readonly EncodedEvent[]>) => {
      const { json } = await one('POST', '/v1/pets', { body: PET });
      const stream = `pet-${String(json['id'])}`;
      const [last] = await store.readStream(stream);
      if (!last) throw new Error('the pet has no event');
      await store.append(stream, 0, await encode(last));
      return { stream, path: `/v1/pets/${String(json['id'])}` };
    };
    const parkedIn = async (): Promise<ParkedList> => (await one('GET', '/v1/ops/parked')).json as unknown as ParkedList;
    const isParked = async (stream: string): Promise<boolean> =>
      (await parkedIn()).causes.some(({ items }) => items.some((item) => item.stream === stream));
    const act = (action: 'skip' | 'unskip', stream: string, name = 'pets'): Promise<JsonResponse> => {
      const reason = action === 'skip' ? { reason: 'it cannot be handled' } : {};
      return one('POST', `/v1/ops/parked/${action}`, { body: { name, stream, revision: 1, ...reason } });
    };

    it('are parked within 5 seconds while other streams go on, and then left out by every process', async () => {
      const { stream, path } = await givenPet(brokenPhotos);
      await eventually('the stream to be parked', () => isParked(stream), 5_000);
      const listed = await one('POST', '/v1/pets', { body: { ...PET, name: 'Max' } });
      expect((await other('GET', `/v1/pets/${String(listed.json['id'])}`)).status).toBe(200);
      const before = (await other('GET', path)).headers.etag;

      expect(await act('skip', stream)).toMatchObject({ status: 200, json: { outcome: 'released' } });
      const etag = await eventually('the other api to show the revision', async () => {
        const shown = (await other('GET', path)).headers.etag;
        return shown === before ? null : shown;
      });
      // Each process has followed the skip within a second.
      const changed = await eventually('the other api to accept the tag', async () => {
        const answer = await other('PUT', path, { body: { ...PET, name: 'Rexi' }, ifMatch: etag ?? '' });
        return answer.status === 412 ? null : answer;
      });
      expect([changed.status, (await one('GET', path)).json]).toMatchObject([200, { name: 'Rexi' }]);
      expect((await one('GET', path)).headers.etag).toBe(changed.headers.etag);
    });

    it('hold if workers are killed meanwhile, until they are unskipped, and read models equal a replay', async () => {
      const { stream } = await givenPet(brokenPhotos);
      await eventually('the stream to be parked', () => isParked(stream));
      for (let round = 0; round < ROUNDS; round++) {
        const action = round % 2 === 0 ? 'skip' : 'unskip';
        const acting = act(action, stream);
        const worker = cluster.workers[Math.floor(round / 2) % 2];
        await worker?.kill();
        await worker?.restart();
        expect([round, (await acting).status]).toEqual([round, 200]);
        await eventually('the stream to be read again', async () => (await isParked(stream)) === (action === 'unskip'));
      }
      expect((await act('skip', stream)).status).toBe(200);
      await eventually('the stream to be released', async () => !(await isParked(stream)));
    });

    it('let a consumer pass a message that it cannot handle', async () => {
      const { stream } = await givenPet(incompleteAdoption);
      await eventually('the key to be parked', () => isParked(stream));
      expect(await act('skip', stream, 'processes')).toMatchObject({ status: 200, json: { outcome: 'released' } });
      expect((await parkedIn()).count).toBe(0);
      const { data } = (await other('GET', '/v1/ops/parked/skipped')).json as unknown as SkippedEvents;
      expect(data.map(({ name }) => name)).toEqual(['pets', 'pets', 'processes']);

      const storage = await openClusterStorage({
        eventStoreUrl: cluster.settings['EVENTSTOREDB_URL'] ?? '',
        mongoUrl: cluster.settings['MONGODB_URL'] ?? '',
      });
      try {
        expectInvariant('the read models equal a replay', differencesFromReplay(await storage.snapshot(await waitUntilSettled(storage))));
      } finally {
        await storage.close();
      }
    });
  });
});
