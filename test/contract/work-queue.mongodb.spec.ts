import { describe, expect, it } from '@jest/globals';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest } from './mongo.js';
import { workQueueContract } from './work-queue.contract.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  workQueueContract(NAME, async () => {
    const { work, drop } = await mongoForTest(url);
    return { queue: work, close: drop };
  });

  describe('a work queue in MongoDB', () => {
    it('reads no work that is not due', async () => {
      const mongo = await mongoForTest(url);
      for (let index = 0; index < 50; index++)
        await mongo.work.enqueue({ queue: 'deliveries', id: String(index), lane: 'somebody', data: '{}' }, 600_000);
      const client = clientForTest(url);
      const database = client.db(mongo.database);
      await database.command({ profile: 2 });
      expect(await mongo.work.claim('deliveries', 1_000)).toBeNull();
      await database.command({ profile: 0 });
      const [claim] = await database.collection('system.profile').find({ 'command.findAndModify': 'work' }).toArray();
      expect(claim).toMatchObject({ planSummary: 'IXSCAN { queue: 1, next: 1, lane: 1 }', keysExamined: 0 });
      await mongo.drop();
    });

    it('shortens the waits that the clock of the database made too long when it was set back', async () => {
      const mongo = await mongoForTest(url);
      const works = clientForTest(url).db(mongo.database).collection('work');
      for (const id of ['soon', 'later']) await mongo.work.enqueue({ queue: 'deliveries', id, lane: 'somebody', data: '{}' }, 1_000);
      await mongo.work.enqueue({ queue: 'others', id: 'soon', lane: 'somebody', data: '{}' }, 1_000);
      await works.updateMany({ '_id.id': 'later' }, { $set: { wait: 600_000 } });
      const inADay = new Date(Date.now() + 86_400_000);
      await works.updateMany({}, { $set: { next: inADay } });
      await mongo.work.shortenWaits('deliveries');
      const next = async (queue: string, id: string): Promise<unknown> => (await works.findOne({ queue, '_id.id': id }))?.['next'];
      expect(await next('deliveries', 'soon')).toEqual(expect.any(Date));
      expect(Number(await next('deliveries', 'soon'))).toBeLessThan(Number(await next('deliveries', 'later')));
      expect(Number(await next('deliveries', 'later'))).toBeLessThan(Number(inADay));
      expect(await next('others', 'soon')).toEqual(inADay);
      await mongo.drop();
    });

    it('skips a lane without reading its work, for any backlog', async () => {
      const mongo = await mongoForTest(url);
      const database = clientForTest(url).db(mongo.database);
      const backlog = Array.from({ length: 5_000 }, (_, index) => ({ queue: 'deliveries', id: String(index) }));
      const slow = { queue: 'deliveries', lane: 'slow', data: '{}', attempt: 0, next: new Date(0) };
      await database.collection<{ _id: object }>('work').insertMany(backlog.map((_id) => ({ _id, ...slow })));
      for (const lane of ['quick', 'quiet']) await mongo.work.enqueue({ queue: 'deliveries', id: lane, lane, data: '{}' }, -1_000);
      await database.command({ profile: 2 });
      expect(await mongo.work.claim('deliveries', 1_000, ['slow'])).not.toBeNull();
      await database.command({ profile: 0 });
      const entries = await database
        .collection('system.profile')
        .find({ ns: `${mongo.database}.work` })
        .toArray();
      const examined = entries.map(({ keysExamined, docsExamined }) => Number(keysExamined) + Number(docsExamined));
      expect(entries.map(({ planSummary }) => String(planSummary))).toContainEqual(expect.stringMatching(/^DISTINCT_SCAN/));
      expect(examined.reduce((sum, count) => sum + count)).toBeLessThan(300);
      await mongo.drop();
    });
  });
});
