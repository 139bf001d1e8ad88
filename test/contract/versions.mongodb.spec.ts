import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MongoClient } from 'mongodb';
import type { Collection, Documents, DocumentWrite } from '../../libs/eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease } from '../../libs/eventsourcing/ports/leases.port.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { ShapeChanged } from '../../libs/adapters/mongodb/documents/versions/version-lifecycle.js';
import { eventually } from '../eventually.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'versions of read models in MongoDB';
const KEEP_MILLISECONDS = 60_000;

const first: Collection = { name: 'things', version: 1, fields: { kind: 'text' }, indexes: [['kind']], cells: ['kind'] };
const second: Collection = { ...first, version: 2, fields: { ...first.fields, colour: 'text' } };
const put = (collection: Collection, key: string, kind = 'cup'): readonly DocumentWrite[] => [
  { kind: 'put', collection, document: { key, json: `"${key} of ${collection.version}"`, fields: { kind, colour: null }, revision: 0 } },
  { kind: 'increment', collection, cell: [kind], by: 1 },
];
const acquireLease = async (mongo: MongoUnderTest, holder: string): Promise<Lease> => {
  const lease = await mongo.leases.acquire('things', holder, 60_000);
  if (!lease) throw new Error('the lease has another owner');
  return lease;
};
const all = { where: {}, sort: [], limit: 10, offset: 0 };

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    let clock: ManualClock;
    let mongo: MongoUnderTest;
    let client: MongoClient;
    beforeEach(async () => {
      clock = manualClock();
      client = clientForTest(url);
      mongo = await mongoForTest(url, { clock, keepReplacedMilliseconds: KEEP_MILLISECONDS });
      await mongo.projectionDocuments.prepare(first);
      await mongo.projectionDocuments.apply([...put(first, 'a'), ...put(first, 'b')], { name: 'things_v1', position: 2 });
      await mongo.putInService(first);
    });
    afterEach(async () => {
      await mongo.drop();
    });

    const collectionNames = async (): Promise<readonly string[]> =>
      (
        await client
          .db(mongo.database)
          .listCollections({ name: /^things/ }, { nameOnly: true })
          .toArray()
      )
        .map(({ name }) => name)
        .sort();
    const textsOf = (documents: Documents, collection: Collection): Promise<readonly string[]> => documents.texts(collection, all);

    it('answer the queries of readers while a newer version is being filled', async () => {
      await mongo.projectionDocuments.prepare(second);
      await mongo.projectionDocuments.apply(put(second, 'a'), { name: 'things_v2', position: 1 });
      expect(await textsOf(mongo.documents, second)).toEqual(['"b of 1"', '"a of 1"']);
      expect(await mongo.documents.texts(second, { ...all, sort: ['-kind', 'key'] })).toEqual(['"a of 1"', '"b of 1"']);
      expect(await mongo.documents.get(second, 'b')).toMatchObject({ fields: { kind: 'cup', colour: null } });
      expect(await mongo.documents.count(second, { kind: 'cup' })).toBe(2);
      expect(await mongo.documents.sum(second, {})).toEqual({ '': 2 });
      expect(await textsOf(mongo.projectionDocuments, second)).toEqual(['"a of 2"']);
      expect(await mongo.projectionDocuments.checkpoint('things_v2')).toBe(1);
    });

    it('answer no query on a field that they lack', async () => {
      await mongo.projectionDocuments.prepare(second);
      await mongo.projectionDocuments.apply(put(second, 'a'));
      expect(await mongo.documents.count(second, { colour: null })).toBe(1);
    });

    it('are replaced by a newer one that is put in service, and dropped later', async () => {
      await mongo.projectionDocuments.prepare(second);
      await mongo.projectionDocuments.apply(put(second, 'a'), { name: 'things_v2', position: 1 });
      await mongo.putInService(second);
      expect(await textsOf(mongo.documents, second)).toEqual(['"a of 2"']);
      expect(await textsOf(mongo.documents, first)).toEqual(['"b of 1"', '"a of 1"']);
      expect(await collectionNames()).toHaveLength(4);
      clock.advance(KEEP_MILLISECONDS);
      await eventually('the end of the older version', async () => (await collectionNames()).length === 2);
      expect(await collectionNames()).toEqual(['things_v2_1', 'things_v2_1_cells']);
      expect(await mongo.projectionDocuments.checkpoint('things_v1')).toBe(0);
    });

    it('have totals that other processes cache until they observe a change', async () => {
      const other = await mongoForTest(url, { clock, namespace: mongo.namespace });
      const total = async (): Promise<number | undefined> => (await other.documents.sum(first, {}))[''];
      expect(await total()).toBe(2);
      await mongo.projectionDocuments.apply(put(first, 'c'), { name: 'things_v1', position: 3 });
      expect(await total()).toBe(2);
      expect(await other.documents.checkpoint('nobody')).toBe(0);
      expect(await total()).toBe(2);
      expect(await other.documents.checkpoint('things_v1')).toBe(3);
      expect(await total()).toBe(3);

      await mongo.projectionDocuments.apply(put(first, 'd'), { name: 'things_v1', position: 4 });
      clock.advance(250);
      await eventually('the next poll', async () => (await total()) === 4);
      await other.close();
    });

    it('are queried without a hint when another release has dropped the index', async () => {
      await client.db(mongo.database).collection('things_v1_1').dropIndexes();
      await client.db(mongo.database).collection('things_v1_1_cells').dropIndexes();
      const find = { ...all, where: { kind: 'cup' }, sort: ['kind'] };
      expect(await mongo.documents.texts(first, find)).toEqual(['"b of 1"', '"a of 1"']);
      expect([await mongo.documents.count(first, { kind: 'cup' }), await mongo.documents.sum(first, {})]).toEqual([2, { '': 2 }]);
    });

    it('that are put in service are used by other processes within a second', async () => {
      const other = await mongoForTest(url, { clock, namespace: mongo.namespace });
      await mongo.projectionDocuments.prepare(second);
      expect(await textsOf(other.documents, second)).toHaveLength(2);
      await mongo.putInService(second);
      clock.advance(1_000);
      expect(await textsOf(other.documents, second)).toEqual([]);
      await other.close();
    });

    it('are rebuilt in new MongoDB collections, which other processes detect when they write', async () => {
      const other = await mongoForTest(url, { clock, namespace: mongo.namespace });
      expect(await textsOf(other.projectionDocuments, first)).toHaveLength(2);
      await mongo.projectionDocuments.clear(first);
      expect(await textsOf(mongo.projectionDocuments, first)).toEqual([]);
      expect(await collectionNames()).toEqual(['things_v1_2', 'things_v1_2_cells']);
      expect(await other.projectionDocuments.apply(put(first, 'c'), { name: 'things_v1', position: 1 })).toBe(true);
      expect(await textsOf(mongo.projectionDocuments, first)).toEqual(['"c of 1"']);
      expect(await collectionNames()).toHaveLength(2);
      await other.close();
    });

    it('that are rebuilt reject writes of the process that was filling them', async () => {
      const owner = await mongoForTest(url, { clock, namespace: mongo.namespace });
      const lease = await acquireLease(owner, 'owner');
      expect(await owner.projectionDocuments.apply(put(first, 'c'), { name: 'things_v1', position: 3, lease })).toBe(true);
      await mongo.projectionDocuments.clear(first);
      // The owner still writes a batch, a parked stream and a checkpoint. They are based on documents that have been deleted.
      const late = (writes: readonly DocumentWrite[], name: string) =>
        owner.projectionDocuments.apply(writes, { name, position: 4, lease });
      await expect(late(put(first, 'd'), 'things_v1')).rejects.toThrow(LeaseLost);
      await expect(late(put(first, 'd'), 'things_v1_retries')).rejects.toThrow(LeaseLost);
      await expect(late([], 'things_v1')).rejects.toThrow(LeaseLost);
      expect([await textsOf(mongo.projectionDocuments, first), await mongo.projectionDocuments.checkpoint('things_v1')]).toEqual([[], 0]);

      const again = await acquireLease(owner, 'owner');
      expect(await owner.projectionDocuments.apply(put(first, 'a'), { name: 'things_v1', position: 1, lease: again })).toBe(true);
      expect([await textsOf(mongo.projectionDocuments, first), await mongo.projectionDocuments.sum(first, {})]).toEqual([
        ['"a of 1"'],
        { '': 1 },
      ]);
      await owner.close();
    });

    it('that are rebuilt reject every earlier lease, even a released one', async () => {
      const lease = await acquireLease(mongo, 'owner');
      expect(await mongo.projectionDocuments.apply(put(first, 'c'), { name: 'things_v1', position: 3, lease })).toBe(true);
      await mongo.leases.release(lease);
      await mongo.projectionDocuments.clear(first);
      // A rebuild raises the fence even of a released lease. An owner that acquires it at the same time gets a write conflict.
      expect((await acquireLease(mongo, 'another')).fence).toBeGreaterThan(lease.fence + 1);
    });

    it('that are dropped are not recreated by the process that was filling them', async () => {
      const owner = await mongoForTest(url, { clock, namespace: mongo.namespace });
      const lease = await acquireLease(owner, 'owner');
      expect(await owner.projectionDocuments.apply(put(first, 'c'), { name: 'things_v1', position: 3, lease })).toBe(true);
      await mongo.projectionDocuments.prepare(second);
      await mongo.putInService(second);
      clock.advance(KEEP_MILLISECONDS);
      await eventually('the end of the older version', async () => (await collectionNames()).length === 2);
      await expect(owner.projectionDocuments.apply([], { name: 'things_v1', position: 4, lease })).rejects.toThrow(LeaseLost);
      const again = await acquireLease(owner, 'owner');
      const late = (writes: readonly DocumentWrite[]) =>
        owner.projectionDocuments.apply(writes, { name: 'things_v1', position: 5, lease: again });
      await expect(late(put(first, 'd'))).rejects.toThrow('replaced');
      await expect(late([])).rejects.toThrow('replaced');

      // A process of the older release can start again and rebuild the dropped read models.
      const older = await mongoForTest(url, { clock, namespace: mongo.namespace });
      await older.projectionDocuments.prepare(first);
      expect([await textsOf(older.projectionDocuments, first), await older.projectionDocuments.checkpoint('things_v1')]).toEqual([[], 0]);
      for (const process of [owner, older]) await process.close();
    });

    it('of an older release stay when it runs again after an update was rolled back', async () => {
      const zero: Collection = { ...first, version: 0 };
      await mongo.projectionDocuments.prepare(zero);
      const newer = await mongoForTest(url, { clock, namespace: mongo.namespace, keepReplacedMilliseconds: KEEP_MILLISECONDS });
      await newer.projectionDocuments.prepare(second);
      await newer.putInService(second);
      await newer.close();
      await mongo.putInService(first);
      clock.advance(KEEP_MILLISECONDS);
      await eventually(
        'the end of the oldest version',
        async () => !(await collectionNames()).some((name) => name.startsWith('things_v0')),
      );
      expect(await textsOf(mongo.documents, first)).toHaveLength(2);
      expect(await collectionNames()).toContain('things_v1_1');
    });

    it('are read again although the clock was set back', async () => {
      const other = await mongoForTest(url, { clock, namespace: mongo.namespace });
      await mongo.projectionDocuments.prepare(second);
      expect(await textsOf(other.documents, second)).toHaveLength(2);
      await mongo.putInService(second);
      clock.set(clock.now().getTime() - 3_600_000);
      clock.advance(1_000);
      expect(await textsOf(other.documents, second)).toEqual([]);
      await other.close();
    });

    it('that are cleared by two processes at once are empty and usable', async () => {
      const other = await mongoForTest(url, { clock, namespace: mongo.namespace });
      await other.projectionDocuments.prepare(first);
      await Promise.all([mongo.projectionDocuments.clear(first), other.projectionDocuments.clear(first)]);
      expect(await mongo.projectionDocuments.apply(put(first, 'c'), { name: 'things_v1', position: 1 })).toBe(true);
      expect(await textsOf(mongo.projectionDocuments, first)).toEqual(['"c of 1"']);
      await other.close();
    });

    it('must be raised when fields or cells change', async () => {
      const changed: Collection = { ...first, fields: second.fields };
      await expect(mongo.projectionDocuments.prepare(changed)).rejects.toThrow(ShapeChanged);
    });

    it('need not be raised when only indexes change: indexes are created and dropped', async () => {
      await mongo.projectionDocuments.prepare({ ...first, indexes: [['-kind']] });
      const indexes = await client.db(mongo.database).collection('things_v1_1').indexes();
      expect(indexes.map(({ key }) => key)).toEqual([{ _id: 1 }, { 'f.kind': -1, _id: -1 }]);
      expect(await mongo.documents.count(first, { kind: 'cup' })).toBe(2);
    });

    it('can be prepared by many processes at once', async () => {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const other = await mongoForTest(url, { clock, namespace: mongo.namespace });
          await other.projectionDocuments.prepare(second);
          await other.close();
        }),
      );
      expect(await collectionNames()).toHaveLength(4);
    });
  }),
);
