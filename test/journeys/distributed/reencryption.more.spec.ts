import { DEADLINES } from '../../deadlines.js';
import { afterEach, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { databaseIn } from '../../../libs/adapters/mongodb/connection/connection.js';
import { wrapWith } from '../../../libs/adapters/mongodb/keys/wrapping.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from '../../contract/mongo.js';
import { eventually } from '../../eventually.js';
import { newNamespace } from '../../servers/new-namespace.js';
import { runPetstore, startPetstore } from '../../servers/process.js';
import { endPrograms } from '../../servers/program.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { sharedMongod } from '../../servers/services/shared.js';

const NAME = 'petstore keys reencrypt';
const [REJECTED, OLD, NEW] = [2, new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
/** The number of personal keys. With so many, the command still runs when the test reads the first line of progress. */
const PEOPLE = 20_000;

const settingOf = (key: Uint8Array): string => Buffer.from(key).toString('base64');

/** Proves contract 31.4. The command uses only MongoDB, so the other servers need not run. */
describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  const opened: MongoUnderTest[] = [];
  afterEach(async () => {
    await endPrograms();
    for (const mongo of opened.reverse()) await mongo.drop();
    opened.length = 0;
  });

  /** Creates a store whose keys are encrypted with OLD, the former key encryption key. */
  const given = async (people: number) => {
    const namespace = newNamespace();
    const old = await mongoForTest(url, { namespace, keyEncryptionKey: OLD });
    opened.push(old);
    await old.records<{ storeId: string }>('store').recordOnce('id', { storeId: randomUUID() });
    await old.keys.serviceKey('idempotency');
    const wrapping = wrapWith(OLD);
    const table = clientForTest(url).db(databaseIn(url, namespace)).collection<{ _id: string; key: Binary }>('personal_keys');
    const wrap = (_id: string) => ({ _id, key: new Binary(wrapping.wrap(`personal_keys ${_id}`, new Uint8Array(32).fill(1))) });
    if (people > 0) await table.insertMany(Array.from({ length: people }, (_, index) => wrap(`person ${index}`)));
    const env = {
      EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
      KAFKA_BROKERS: '127.0.0.1:1',
      MONGODB_URL: url,
      NAMESPACE: namespace,
      LOG_LEVEL: 'warn',
      KEY_ENCRYPTION_KEY: settingOf(NEW),
      KEY_ENCRYPTION_KEY_PREVIOUS: settingOf(OLD),
    };
    const countOld = async (): Promise<number> => {
      const isOld = ({ _id, key }: { readonly _id: string; readonly key: Binary }): boolean => {
        try {
          return wrapping.unwrap(`personal_keys ${_id}`, key.buffer).length === 32;
        } catch {
          return false;
        }
      };
      return (await table.find({}).toArray()).filter(isOld).length;
    };
    const open = async (keys: Parameters<typeof mongoForTest>[1]): Promise<MongoUnderTest> => {
      const mongo = await mongoForTest(url, { namespace, ...keys });
      opened.push(mongo);
      return mongo;
    };
    return { environment: { dataDir: ':memory:', env }, countOld, open };
  };

  it('resumes after a kill in the middle, and a process with both keys works throughout', async () => {
    const { environment, countOld, open } = await given(PEOPLE);
    const running = await open({ keyEncryptionKey: NEW, previousKeyEncryptionKey: OLD });
    const killed = startPetstore(['keys', 'reencrypt'], environment);
    await eventually('progress', () => killed.stderr().includes('%'), DEADLINES.slow);
    killed.signal('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    const left = await countOld();
    expect([left > 0, left < PEOPLE]).toEqual([true, true]);
    for (const person of ['person 0', `person ${PEOPLE - 1}`, 'a new person'])
      expect(await running.keys.personalKey(person)).toHaveLength(32);
    const again = startPetstore(['keys', 'reencrypt'], environment);
    const { code } = await again.ended;
    expect([code, again.stdout()]).toEqual([
      0,
      expect.stringMatching(/^All 2000\d keys are wrapped with KEY_ENCRYPTION_KEY, and none with KEY_ENCRYPTION_KEY_PREVIOUS/),
    ]);
    expect(again.stderr()).toMatch(/100 %.* keys/);
    expect(await countOld()).toBe(0);
    expect(await (await open({ keyEncryptionKey: NEW })).keys.personalKey('person 0')).toHaveLength(32);
  });

  it('names the missing and the wrong key, and shows no key', async () => {
    const { environment, open } = await given(0);
    const { KEY_ENCRYPTION_KEY_PREVIOUS: _, ...alone } = { ...environment.env, KEY_ENCRYPTION_KEY: settingOf(OLD) };
    const missing = await runPetstore(['keys', 'reencrypt'], { ...environment, env: alone });
    expect([missing.code, missing.stderr]).toEqual([REJECTED, expect.stringMatching('KEY_ENCRYPTION_KEY_PREVIOUS is missing')]);
    const other = settingOf(new Uint8Array(32).fill(9));
    const wrong = await runPetstore(['keys', 'reencrypt'], {
      ...environment,
      env: { ...environment.env, KEY_ENCRYPTION_KEY_PREVIOUS: other },
    });
    expect([wrong.code, wrong.stderr]).toEqual([REJECTED, expect.stringMatching('neither the key-encryption key nor the previous one')]);
    for (const key of [OLD, NEW]) expect(missing.stderr + wrong.stderr).not.toContain(settingOf(key));
    expect(await (await open({ keyEncryptionKey: OLD })).keys.serviceKey('idempotency')).toHaveLength(32);
  });

  it('is rejected in the embedded profile, which has no key-encryption key', async () => {
    const { code, stderr } = await runPetstore(['keys', 'reencrypt'], { dataDir: ':memory:' });
    expect([code, stderr]).toEqual([REJECTED, expect.stringMatching('EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS are missing')]);
  });

  it('is preceded by a list that works on the database itself', async () => {
    const { environment } = await given(0);
    const { code, stdout } = await runPetstore(['keys', 'list', '--json'], environment);
    const [newest] = JSON.parse(stdout) as readonly unknown[];
    expect([code, newest]).toEqual([0, expect.objectContaining({ kind: 'token-signing', status: 'current' })]);
  });
});
