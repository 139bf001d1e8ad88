import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, type Collection } from 'mongodb';
import { wrapWith } from '../../libs/adapters/mongodb/keys/wrapping.js';
import { WrongWrappingKey, type ReencryptOptions } from '../../libs/adapters/mongodb/index.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedMongod } from '../servers/services/shared.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'a change of the key-encryption key in MongoDB';
const [OLD, NEW, OTHER] = [7, 8, 9].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array];
const BOTH = { keyEncryptionKey: NEW, previousKeyEncryptionKey: OLD };
const TABLES = ['service_keys', 'personal_keys'] as const;
/** The number of personal keys. A pass needs more than one batch for them. */
const PEOPLE = 2_500;

type StoredKey = { readonly _id: string; readonly key: Binary | null };

const reencryptOptions = (changes: Partial<ReencryptOptions> = {}): ReencryptOptions => ({
  onPass: () => undefined,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  ...changes,
});

/** Proves contract 31.4. */
describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    const opened: MongoUnderTest[] = [];
    /** Opens the store as another process with these key-encryption keys would. All calls open the same namespace. */
    const open = async (keys: Parameters<typeof mongoForTest>[1]): Promise<MongoUnderTest> => {
      const mongo = await mongoForTest(url, { ...keys, ...(opened[0] && { namespace: opened[0].namespace }) });
      opened.push(mongo);
      return mongo;
    };
    let old: MongoUnderTest;
    beforeEach(async () => {
      opened.length = 0;
      old = await open({ keyEncryptionKey: OLD });
      await old.keys.serviceKey('signing');
      await old.keys.personalKey('anna');
    });
    afterEach(async () => {
      for (const mongo of opened.reverse()) await mongo.drop();
    });

    const tableOf = (name: string): Collection<StoredKey> => clientForTest(url).db(old.database).collection<StoredKey>(name);
    /** Returns the number of stored keys that this key-encryption key can decrypt. */
    const countOf = async (encryptionKey: Uint8Array): Promise<number> => {
      const wrapping = wrapWith(encryptionKey);
      const unwraps = (location: string, key: Binary): boolean => {
        try {
          return wrapping.unwrap(location, key.buffer).length === 32;
        } catch {
          return false;
        }
      };
      const found = await Promise.all(TABLES.map((name) => tableOf(name).find({}).toArray()));
      return found.flatMap((keys, index) => keys.filter(({ _id, key }) => key && unwraps(`${TABLES[index]} ${_id}`, key))).length;
    };
    const addPeople = async (): Promise<void> => {
      const wrapping = wrapWith(OLD);
      const people = Array.from({ length: PEOPLE }, (_, index) => `person ${index}`);
      await tableOf('personal_keys').insertMany(
        people.map((_id) => ({ _id, key: new Binary(wrapping.wrap(`personal_keys ${_id}`, new Uint8Array(32).fill(1))) })),
      );
    };

    it('wraps every key with the new key, and none with the former one', async () => {
      await addPeople();
      const before = [await old.keys.serviceKey('signing'), await old.keys.personalKey('anna')];
      const result = await (await open(BOTH)).reencryptKeys(reencryptOptions());
      expect(result).toEqual({ keys: PEOPLE + 2, rewrapped: PEOPLE + 2, isComplete: true });
      expect([await countOf(OLD), await countOf(NEW)]).toEqual([0, PEOPLE + 2]);
      const { keys } = await open({ keyEncryptionKey: NEW });
      expect([await keys.serviceKey('signing'), await keys.personalKey('anna')]).toEqual(before);
    });

    it('can run twice, and changes nothing the second time', async () => {
      const both = await open(BOTH);
      await both.reencryptKeys(reencryptOptions());
      expect(await both.reencryptKeys(reencryptOptions())).toEqual({ keys: 2, rewrapped: 0, isComplete: true });
    });

    it('resumes after an interruption, and meanwhile a process with both keys can use every key', async () => {
      await addPeople();
      const both = await open(BOTH);
      const stop = new AbortController();
      const onProgress = (count: number): void => {
        if (count >= 1_000) stop.abort();
      };
      expect(await both.reencryptKeys(reencryptOptions({ onProgress, signal: stop.signal }))).toMatchObject({ isComplete: false });
      const left = await countOf(OLD);
      expect([left > 0, left < PEOPLE + 2]).toEqual([true, true]);
      const { keys } = await open(BOTH);
      for (const name of ['anna', 'person 0', `person ${PEOPLE - 1}`]) expect(await keys.personalKey(name)).toHaveLength(32);
      expect(await both.reencryptKeys(reencryptOptions())).toEqual({ keys: PEOPLE + 2, rewrapped: left, isComplete: true });
    });

    it('does not begin when a process starts with both keys, so a process with only the former key reads every key', async () => {
      const both = await open(BOTH);
      const made = await both.keys.personalKey('bert');
      expect(await (await open({ keyEncryptionKey: OLD })).keys.personalKey('bert')).toEqual(made);
      expect(await countOf(NEW)).toBe(0);
    });

    it('makes processes with both keys wrap new keys with the new key', async () => {
      const running = await open(BOTH);
      await (await open(BOTH)).reencryptKeys(reencryptOptions());
      await running.keys.personalKey('bert');
      expect([await countOf(OLD), await countOf(NEW)]).toEqual([0, 3]);
    });

    it('includes keys that running processes create in the meantime', async () => {
      await addPeople();
      const running = await open(BOTH);
      let isRunning = true;
      const creating = (async () => {
        for (let index = 0; isRunning; index++) await running.keys.personalKey(`new person ${index}`);
      })();
      await (await open(BOTH)).reencryptKeys(reencryptOptions());
      isRunning = false;
      await creating;
      expect(await countOf(OLD)).toBe(0);
    });

    it('leaves destroyed keys destroyed, also those that are destroyed meanwhile', async () => {
      await addPeople();
      await old.keys.destroyPersonalKey('anna');
      const running = await open(BOTH);
      const destroying = (async () => {
        for (let index = 0; index < 200; index++) await running.keys.destroyPersonalKey(`person ${index}`);
      })();
      await (await open(BOTH)).reencryptKeys(reencryptOptions());
      await destroying;
      const { keys } = await open({ keyEncryptionKey: NEW });
      for (const name of ['anna', ...Array.from({ length: 200 }, (_, index) => `person ${index}`)])
        expect(await keys.personalKey(name)).toBeNull();
    });

    it('rejects a process with only the former key after its end, and a process with two wrong keys', async () => {
      await expect(open({ keyEncryptionKey: OTHER, previousKeyEncryptionKey: NEW })).rejects.toThrow(
        'neither the key-encryption key nor the previous one',
      );
      await (await open(BOTH)).reencryptKeys(reencryptOptions());
      await expect(open({ keyEncryptionKey: OLD })).rejects.toThrow('is not the one that wraps the keys');
    });

    it('fails when a key is wrapped with neither of the two keys, after it has changed all others', async () => {
      await tableOf('personal_keys').insertOne({
        _id: 'bert',
        key: new Binary(wrapWith(OTHER).wrap('personal_keys bert', new Uint8Array(32))),
      });
      const both = await open(BOTH);
      await expect(both.reencryptKeys(reencryptOptions())).rejects.toThrow(
        '1 of 3 keys are wrapped with neither the key-encryption key nor the previous one',
      );
      expect([await countOf(OLD), await countOf(NEW)]).toEqual([0, 2]);
      await expect(both.keys.personalKey('bert')).rejects.toThrow(WrongWrappingKey);
    });
  }),
);
