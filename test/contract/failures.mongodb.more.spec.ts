import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../libs/eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { ownMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'the MongoDB adapter with a killed server';

const things: Collection = { name: 'things', version: 1, fields: { kind: 'text' }, indexes: [], cells: ['kind'] };
const all = { where: {}, sort: [], limit: 10, offset: 0 };

describeIfAvailable(NAME, await ownMongod(), (mongod) =>
  /** Proves contract 24.1 and contract 24.7 for the MongoDB adapter. */
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    beforeAll(async () => {
      mongo = await mongoForTest(mongod.url);
      await mongo.projectionDocuments.prepare(things);
    });
    afterAll(async () => {
      await mongo.close();
      await mongod.close();
    });

    const put = (position: number): Promise<boolean> =>
      mongo.projectionDocuments.apply(
        [
          { kind: 'put', collection: things, document: { key: String(position), json: '{}', fields: { kind: 'cup' }, revision: 0 } },
          { kind: 'increment', collection: things, cell: ['cup'], by: 1 },
        ],
        { name: 'things_v1', position },
      );

    it('rejects with StoreUnavailable during the outage, and recovers automatically', async () => {
      await put(1);
      await mongod.kill();
      const calls = [
        () => mongo.documents.get(things, '1'),
        () => mongo.documents.texts(things, all),
        () => mongo.documents.sum(things, {}),
        () => mongo.documents.checkpoint('things_v1'),
        () => put(2),
        () => mongo.leases.acquire('relay', 'anna', 1_000),
        () => mongo.counters.exchange(new Date(), new Map([['anna', 1]])),
        () => mongo.keys.serviceKey('signing'),
        () => mongo.keys.destroyPersonalKey('anna'),
        () => mongo.records('charges').recordOnce('one', {}),
        () => mongo.ping(),
      ];
      for (const outcome of await Promise.allSettled(calls.map((call) => call())))
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      await mongod.restart();
      await eventually('the server’s return', () => mongo.ping().then(() => true));
      expect(await mongo.documents.checkpoint('things_v1')).toBe(1);
      expect(await put(2)).toBe(true);
      expect(await mongo.documents.sum(things, {})).toEqual({ '': 2 });
    });

    it('applies every write exactly once and completely, wherever the server dies', async () => {
      let position = await mongo.documents.checkpoint('things_v1');
      for (let round = 0; round < 3; round++) {
        const start = position;
        // Writes position after position, as a projection does. Repeats a write that fails until it succeeds.
        const writing = (async (): Promise<void> => {
          for (const until = position + 150; position < until;) {
            try {
              await put(position + 1);
              position++;
            } catch (error) {
              if (!(error instanceof StoreUnavailable)) throw error;
            }
          }
        })();
        await eventually('some writes', async () => (await mongo.documents.checkpoint('things_v1')) > start + 20);
        await mongod.kill();
        await mongod.restart();
        await writing;
        expect(await mongo.documents.checkpoint('things_v1')).toBe(position);
        expect(await mongo.documents.sum(things, {})).toEqual({ '': position });
        expect(await mongo.documents.count(things, {})).toBe(position);
      }
    });

    it('detects within seconds that the server does not answer', async () => {
      await mongod.pause();
      try {
        await expect(mongo.documents.get(things, '1')).rejects.toThrow(StoreUnavailable);
      } finally {
        mongod.resume();
      }
      await eventually('the server’s return', () => mongo.ping().then(() => true));
      expect(await mongo.documents.get(things, '1')).not.toBeNull();
    });
  }),
);
