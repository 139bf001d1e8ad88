import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import { eventually } from '../../eventually.js';
import { ALTERATIONS, alter, eventOfALaterVersion } from '../../http/altered-histories.js';
import { caller, type Call } from '../../servers/calling.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { runPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { silentLog } from '../../silent-log.js';

const NAME = 'a stream in the distributed profile';
const PET = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE', price: '250.00', currency: 'USD' };

const folder = newFolder();
const found = await startClusterIfAvailable({
  apis: 1,
  workers: ['projections,relay,consumers,deliveries,timers'],
  folder,
  settings: { LOG_LEVEL: 'warn' },
});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 23.5, contract 23.6 and contract 25.2. */
  describe(NAME, () => {
    let call: Call;
    const [api, worker] = [cluster.apis[0], cluster.workers[0]];

    beforeAll(async () => {
      const { token } = await openSession(cluster);
      call = caller(api?.url ?? '', token);
    });
    afterAll(async () => {
      await cluster.close();
      removeFolders();
    });

    const listPet = async (): Promise<string> => {
      const { status, json } = await call('POST', '/v1/pets', { body: PET });
      expect(status).toBe(201);
      const id = String(json['id']);
      for (const name of ['Once', 'Twice']) expect((await call('PUT', `/v1/pets/${id}`, { body: { ...PET, name } })).status).toBe(200);
      return id;
    };
    const listedIds = async (): Promise<readonly unknown[]> =>
      ((await call('GET', '/v1/pets?limit=100')).json['data'] as { id: unknown }[]).map(({ id }) => id);
    const statusAndProblemKind = async (method: string, path: string, body?: object): Promise<string> => {
      const { status, text } = await call(method, path, body ? { body } : {});
      return `${status} ${/\/errors\/([a-z-]+)/.exec(text)?.[1] ?? ''}`.trim();
    };
    const readiness = async (url: string | undefined): Promise<string> => (await fetch(`${url ?? ''}/health/ready`)).text();

    it('with an event of a later version is parked by read models and relay, and other streams continue', async () => {
      const [victim, other] = [await listPet(), await listPet()];
      const store = await openEventStore({
        url: cluster.settings['EVENTSTOREDB_URL'] ?? '',
        clock: systemClock,
        log: silentLog,
        streams: STREAM_PREFIXES,
      });
      const last = (await store.readStream(`pet-${victim}`)).at(-1);
      if (!last) throw new Error('the pet has no events');
      await store.append(last.stream, last.revision, await eventOfALaterVersion(last));
      await store.close();
      await eventually(
        'the pet to be unreadable',
        async () => (await statusAndProblemKind('GET', `/v1/pets/${victim}`)) === '503 history-unreadable',
      );
      expect(await statusAndProblemKind('PUT', `/v1/pets/${victim}`, PET)).toBe('503 history-unreadable');
      expect(await statusAndProblemKind('DELETE', `/v1/pets/${victim}`)).toBe('503 history-unreadable');
      expect(await listedIds()).toEqual([other]);
      // An approved payment proves that the relay and the read models continue.
      const ordered = await call('POST', '/v1/orders', { body: { petId: other } });
      const order = `/v1/orders/${String(ordered.json['id'])}`;
      const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
      expect((await call('POST', `${order}/payment`, { body: { amount: '250.00', currency: 'USD', source } })).status).toBe(201);
      await eventually('the order to be approved', async () => (await call('GET', order)).json['status'] === 'approved');
      for (const url of [api?.url, worker?.url])
        await eventually('readiness to show it', async () => (await readiness(url)).includes('"history":"unreadable"'));
      expect(worker?.log()).toContain(`pet-${victim}`);
    });

    it('with an altered price makes a rebuild fail, and no read returns the pet', async () => {
      const victim = await listPet();
      const [priceAlteration] = ALTERATIONS;
      if (!priceAlteration) throw new Error('there is no alteration');
      await alter(join(folder, 'event-store', 'data'), `pet-${victim}`, priceAlteration);
      const rebuild = (...more: readonly string[]) =>
        runPetstore(['projections', 'rebuild', ...more], { dataDir: newFolder(), env: { ...cluster.settings, LOG_LEVEL: 'silent' } });
      const rejected = await rebuild();
      expect(rejected.code).toBe(3);
      expect(rejected.stderr).toMatch(
        new RegExp(`pet-${victim}, revision 1: .*\\n(.*\\n)*Remedy: .*\\n(.*\\n)*.*read models are unchanged`),
      );
      await eventually(
        'the pet to be reported as altered',
        async () => (await statusAndProblemKind('GET', `/v1/pets/${victim}`)) === '503 history-altered',
      );
      await eventually('the pet to leave the lists', async () => !(await listedIds()).includes(victim));
      for (const url of [api?.url, worker?.url])
        await eventually('readiness to show it', async () => (await readiness(url)).includes('"history":"altered"'));
      const other = await listPet();
      const accepted = await rebuild('--accept-altered');
      expect([accepted.code, accepted.stderr]).toEqual([3, expect.stringContaining('rebuild the read models without these streams')]);
      await eventually('the other pets to be listed', async () => (await listedIds()).includes(other));
      expect(await statusAndProblemKind('GET', `/v1/pets/${victim}`)).toBe('503 history-altered');
      expect(await listedIds()).not.toContain(victim);
    });
  });
});
