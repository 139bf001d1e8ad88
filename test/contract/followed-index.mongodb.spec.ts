import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from 'mongodb';
import { MongoChanges } from '../../libs/adapters/mongodb/search/mongo-changes.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { checkpointOf, type DocumentWrite } from '../../libs/eventsourcing/ports/documents.port.js';
import { cups, FACETS, fieldsArb, keyArb, naive, putCup, queryArb, type Row } from '../../libs/search/facets.fixtures.js';
import { FollowedIndex } from '../../libs/search/followed-index.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedMongod } from '../servers/services/shared.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'an index that follows MongoDB';

const SEARCHED = { name: 'cups_v1_1', version: checkpointOf(cups), generation: 1, facets: FACETS };

const ROWS = 2_000;
const CHANGES = 60;

const sample = <T>(arb: fc.Arbitrary<T>, count: number, seed: number): T[] => fc.sample(arb, { seed, numRuns: count });
const sampleRows = (count: number, seed: number): Row[] => {
  const fields = sample(fieldsArb, count, seed);
  return sample(keyArb, count, seed).map((key, number) => ({ key, fields: fields[number] ?? {} }));
};
describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    let database: Db;
    let changes: MongoChanges;
    let followed: FollowedIndex;
    let ended: Promise<string>;
    let position: number;

    beforeEach(async () => {
      mongo = await mongoForTest(url);
      database = clientForTest(url).db(mongo.database);
      position = 0;
      await mongo.projectionDocuments.prepare(cups);
    });
    afterEach(async () => {
      await changes.close();
      await ended;
      await mongo.drop();
    });

    const follow = (): void => {
      changes = new MongoChanges(database);
      followed = new FollowedIndex(FACETS, (...timer) => systemClock.after(...timer));
      ended = changes
        .follow(SEARCHED, followed)
        .then(
          () => 'ended',
          (error: unknown) => String(error),
        )
        .finally(() => followed.end());
    };
    const apply = (...writes: readonly DocumentWrite[]): Promise<boolean> =>
      mongo.projectionDocuments.apply(writes, { name: checkpointOf(cups), position: ++position });

    it('has every change up to a checkpoint that it has reached, also those made while it was made', async () => {
      const rows = new Map(sampleRows(ROWS, 1).map((row) => [row.key, row]));
      await apply(...[...rows.values()].map(putCup));
      follow();
      const queries = sample(queryArb, 20, 2);
      let checked = 0;
      for (let change = 0; change < CHANGES || checked < CHANGES / 2; change++) {
        const changed = [...rows.keys()].slice(change * 5, change * 5 + 3);
        for (const key of changed) rows.delete(key);
        const added = sampleRows(3, 100 + change);
        for (const row of added) rows.set(row.key, row);
        await apply(...changed.map((key): DocumentWrite => ({ kind: 'delete', collection: cups, key })), ...added.map(putCup));
        if (followed.isMaking() || !(await followed.hasReached(position))) continue;
        checked++;
        for (const query of queries)
          expect({ count: followed.index.count(query.where), keys: followed.index.keys(query) }).toEqual(naive(rows.values(), query));
      }
    });

    it('does not wait long for a checkpoint that does not come', async () => {
      await apply(...sampleRows(3, 1).map(putCup));
      follow();
      await followed.hasReached(position);
      expect(await followed.hasReached(position + 1)).toBe(false);
    });

    it('ends when the documents are cleared or dropped', async () => {
      await apply(...sampleRows(3, 1).map(putCup));
      follow();
      await followed.hasReached(position);
      const waiting = followed.hasReached(position + 1);
      await mongo.projectionDocuments.clear(cups);
      expect(await ended).toBe('ended');
      expect(await waiting).toBe(false);
      expect(followed.isMaking()).toBe(true);
    });
  }),
);
