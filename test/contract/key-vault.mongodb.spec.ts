import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Collection, type Binary } from 'mongodb';
import { WrongWrappingKey } from '../../libs/adapters/mongodb/index.js';
import { openKeyVault } from '../../libs/adapters/sqlite/open-key-vault.js';
import { openSigningKeys } from '../../libs/adapters/tokens/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { keyVaultContract } from './key-vault.contract.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  keyVaultContract(NAME, async () => {
    const { keys, drop } = await mongoForTest(url);
    return { keys, close: drop };
  });

  keyVaultContract(`${NAME} with a key-encryption key`, async () => {
    const { keys, drop } = await mongoForTest(url, { keyEncryptionKey: new Uint8Array(32).fill(7) });
    return { keys, close: drop };
  });

  describe('keys in MongoDB', () => {
    const opened: MongoUnderTest[] = [];
    const clock = manualClock();
    const keyEncryptionKey = new Uint8Array(32).fill(7);
    const open = async (options: Parameters<typeof mongoForTest>[1] = {}): Promise<MongoUnderTest> => {
      const mongo = await mongoForTest(url, { clock, keyEncryptionKey, ...(opened[0] && { namespace: opened[0].namespace }), ...options });
      opened.push(mongo);
      return mongo;
    };
    beforeEach(() => void (opened.length = 0));
    afterEach(async () => {
      for (const mongo of opened.reverse()) await mongo.drop();
    });

    it('are created once for concurrent requests of several processes', async () => {
      const vaults = [await open(), await open(), await open()];
      const keys = await Promise.all(vaults.flatMap((mongo) => [mongo.keys.serviceKey('signing'), mongo.keys.serviceKey('signing')]));
      expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    });

    it('destroyed during a read are not cached', async () => {
      const { keys } = await open();
      const subjects = Array.from({ length: 50 }, (_, index) => `subject ${index}`);
      await Promise.all(subjects.map((subject) => Promise.all([keys.destroyPersonalKey(subject), keys.personalKey(subject)])));
      for (const subject of subjects) expect(await keys.personalKey(subject)).toBeNull();
    });

    it('destroyed by one process are unusable for the others at once', async () => {
      const [one, other] = [await open(), await open()];
      expect(await other.keys.personalKey('anna')).not.toBeNull();
      await one.keys.destroyPersonalKey('anna');
      expect([await one.keys.personalKey('anna'), await other.keys.personalKey('anna')]).toEqual([null, null]);
    });

    it('of many persons are read by one query', async () => {
      const mongo = await open();
      const subjects = Array.from({ length: 20 }, (_, index) => `subject ${index}`);
      const read = () => Promise.all(subjects.map((subject) => mongo.keys.personalKey(subject)));
      const created = await read();
      const finds = jest.spyOn(Collection.prototype, 'find');
      expect(await read()).toEqual(created);
      expect(finds).toHaveBeenCalledTimes(1);
      finds.mockRestore();
    });

    it('are never stored unencrypted when a key-encryption key is configured', async () => {
      const { keys, database } = await open();
      const made = [await keys.serviceKey('signing'), (await keys.personalKey('anna')) ?? new Uint8Array()];
      const client = clientForTest(url);
      const stored = await Promise.all(
        ['service_keys', 'personal_keys'].map((name) => client.db(database).collection(name).find().toArray()),
      );
      const text = JSON.stringify(stored.flat().map(({ key }) => Buffer.from((key as Binary).buffer).toString('hex')));
      for (const key of made) expect(text).not.toContain(Buffer.from(key).toString('hex'));
    });

    it('are imported with their times, so that a copy has the same signing keys (contract 31.2)', async () => {
      // The last key is announced by the clock of each store, so both stores need the same time.
      const embedded = await openKeyVault(':memory:', systemClock);
      const signing = await openSigningKeys({ vault: embedded, clock: systemClock });
      await signing.rotate('a', { now: true });
      await signing.rotate('b');
      const { keys } = await open();
      for (const key of embedded.all()) await keys.importKey(key);
      const copied = await openSigningKeys({ vault: keys, clock: systemClock });
      expect([copied.list(), copied.published()]).toEqual([signing.list(), signing.published()]);
      expect(signing.list()).toHaveLength(3);
      await embedded.close();
    });

    it('cannot be copied to another subject', async () => {
      const { keys, database } = await open();
      await keys.personalKey('anna');
      await keys.personalKey('bert');
      const client = clientForTest(url);
      const table = client.db(database).collection<{ _id: string; key: unknown }>('personal_keys');
      const bert = await table.findOne({ _id: 'bert' });
      await table.updateOne({ _id: 'anna' }, { $set: { key: bert?.key } });
      await expect((await open()).keys.personalKey('anna')).rejects.toThrow();
    });

    it.each<[string, Uint8Array | undefined, Uint8Array | undefined, string]>([
      ['another key-encryption key', keyEncryptionKey, new Uint8Array(32).fill(8), 'is not the one'],
      ['no key-encryption key', keyEncryptionKey, undefined, 'none is configured'],
      ['a key-encryption key where there was none', undefined, keyEncryptionKey, 'stored without one'],
    ])('are rejected with a clear message when the store has %s', async (_, before, now, message) => {
      const { namespace, drop } = await mongoForTest(url, { clock, ...(before && { keyEncryptionKey: before }) });
      const again = mongoForTest(url, { clock, namespace, ...(now && { keyEncryptionKey: now }) });
      await expect(again).rejects.toThrow(WrongWrappingKey);
      await expect(again).rejects.toThrow(message);
      await drop();
    });

    it('require a key-encryption key of 32 bytes', async () => {
      await expect(mongoForTest(url, { keyEncryptionKey: new Uint8Array(16) })).rejects.toThrow('32');
    });
  });
});
