import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import type { MessagePointer } from '../../../eventsourcing/ports/messages.port.js';
import { openDatabase, type Database } from '../folder/database.js';
import { IN_MEMORY, STORE_FILE } from '../folder/file-names.js';
import { migrate, STORE_MIGRATIONS } from '../folder/migrations.js';
import { CommitQueue } from '../commits/commit-queue.js';
import { ConsumerRecords } from './consumer-records.js';
import { ParkedMessages } from './parked-messages.js';

const KEY = 'thing-1';
const pointer = (revision: number): MessagePointer => ({ stream: KEY, revision, type: 'Made', key: KEY, tenant: 'shared' });
const revisions = (pointers: readonly MessagePointer[]): number[] => pointers.map(({ revision }) => revision);

describe('the waiting messages of a parked key', () => {
  let database: Database;
  beforeEach(() => {
    database = openDatabase(IN_MEMORY, STORE_FILE);
    migrate(database, STORE_MIGRATIONS);
    const add = database.connection.prepare(`INSERT INTO events VALUES (?, '${KEY}', ?, '', 'Made', '{}', 'null')`);
    for (let revision = 0; revision < 4; revision++) add.run(revision + 1, revision);
  });
  afterEach(() => database.close());

  /** Opens the parked keys of a consumer that started at `start`, and parks the first message of the key. */
  const storeOf = async (start: number): Promise<ParkedKeyStore> => {
    const queue = new CommitQueue(database, null);
    const store = new ParkedMessages({ consumer: 'reader', records: new ConsumerRecords(database), queue, types: ['Made'], start });
    await store.put({ consumer: 'reader', key: KEY, revision: 0, reason: 'no', parkedAt: '2026-01-02T03:04:05.678Z' });
    return store;
  };

  it('include only messages that were added as waiting', async () => {
    const store = await storeOf(0);
    expect([revisions(await store.readWaiting(KEY, 0)), await store.readWaiting(KEY, 1)]).toEqual([[0], []]);
    expect(await store.addWaiting(pointer(1))).toBe(true);
    expect([revisions(await store.readWaiting(KEY, 1)), await store.readWaiting(KEY, 2)]).toEqual([[1], []]);
  });

  it('include all messages that an earlier process has read', async () => {
    const store = await storeOf(3);
    expect([revisions(await store.readWaiting(KEY, 2)), await store.readWaiting(KEY, 3)]).toEqual([[2], []]);
  });

  it('keep their key parked until all of them are handled', async () => {
    const store = await storeOf(0);
    await store.addWaiting(pointer(1));
    expect([await store.release(KEY, 0), (await store.all()).length]).toEqual([false, 1]);
    expect([await store.release(KEY, 1), await store.all(), await store.addWaiting(pointer(2))]).toEqual([true, [], false]);
  });
});
