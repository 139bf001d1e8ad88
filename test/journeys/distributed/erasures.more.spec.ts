import { afterAll, expect, it } from '@jest/globals';
import type { Binary } from 'mongodb';
import { join } from 'node:path';
import { userSubject } from '../../../libs/domain/events.js';
import { databaseIn } from '../../../libs/adapters/mongodb/connection/connection.js';
import { clientForTest } from '../../contract/mongo.js';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { runPetstore } from '../../servers/process.js';
import { openReceiver, type Receiver } from '../../servers/receiver.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { ALL_PERSONAL, addPerson, leaveFills, readFills, shownOf } from '../erasure-scene.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'an erased person in the distributed profile';
const found = await startClusterIfAvailable({
  apis: 1,
  workers: ['projections,relay,consumers,timers,deliveries'],
  settings: { LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1' },
});

describeIfAvailable(NAME, found, (cluster) => {
  let receiver: Receiver | undefined;
  afterAll(async () => {
    await receiver?.close();
    await cluster.close();
    removeFolders();
  });

  /** Proves contract 38.1 and contract 38.3. */
  it('is shown nowhere, and stays erased if the key is restored and the erasures are applied', async () => {
    receiver = await openReceiver();
    const list = join(newFolder(), 'erasures.json');
    const environment = { dataDir: ':memory:', env: cluster.settings };
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runPetstore(args, environment);
      expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
      return stdout;
    };
    const scope = 'read:pets write:pets write:orders write:webhooks audit:read ops';
    const url = cluster.apis[0]?.url ?? '';
    const call = caller(url, (await run('token', '--scope', scope)).trim());
    const person = await addPerson(url, call, receiver);
    await leaveFills(call);
    await eventually('all values to be shown', async () => (await shownOf(call, person)).length === ALL_PERSONAL.length);

    const { MONGODB_URL: mongo = '', NAMESPACE: namespace = '' } = cluster.settings;
    const keys = clientForTest(mongo).db(databaseIn(mongo, namespace)).collection<{ _id: string; key: Binary | null }>('personal_keys');
    const subject = { _id: userSubject(person.userId) };
    const restored = await keys.findOne(subject);
    expect(restored?.key).toBeTruthy();
    expect((await call('DELETE', `/v1/users/${person.userId}`)).status).toBe(204);
    // A process may use a destroyed key for up to one second more.
    await eventually('nothing to be shown', async () => (await shownOf(call, person)).length === 0);
    expect((await keys.findOne(subject))?.key).toBeNull();
    await readFills(call);
    expect(await shownOf(call, person)).toEqual([]);
    await run('erasures', 'export', list);

    await keys.replaceOne(subject, { key: restored?.key ?? null });
    await run('erasures', 'apply', list);
    expect((await keys.findOne(subject))?.key).toBeNull();
  });
});
