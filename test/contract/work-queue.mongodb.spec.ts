import { describe, expect, it } from '@jest/globals';
import { sharedMongod } from '../servers/services/shared.js';
import { whenThere } from '../servers/services/when-there.js';
import { clientForTest, mongoForTest } from './mongo.js';
import { workQueueContract } from './work-queue.contract.js';

const NAME = 'the MongoDB adapter';

whenThere(NAME, await sharedMongod(), ({ url }) => {
  workQueueContract(NAME, async () => {
    const { work, drop } = await mongoForTest(url);
    return { queue: work, close: drop };
  });

  describe('a work queue in MongoDB', () => {
    it('looks at nothing that is not due', async () => {
      const mongo = await mongoForTest(url);
      const later = new Date(Date.now() + 600_000);
      for (let index = 0; index < 50; index++)
        await mongo.work.enqueue({ queue: 'deliveries', id: String(index), lane: 'somebody', data: '{}' }, later);
      const client = clientForTest(url);
      const database = client.db(mongo.database);
      await database.command({ profile: 2 });
      expect(await mongo.work.claim('deliveries', 1, 1_000)).toEqual([]);
      await database.command({ profile: 0 });
      const [claim] = await database.collection('system.profile').find({ 'command.findAndModify': 'work' }).toArray();
      expect(claim).toMatchObject({ planSummary: 'IXSCAN { queue: 1, next: 1, lane: 1 }', keysExamined: 0 });
      await mongo.drop();
    });

    it('passes over a lane without looking at its works', async () => {
      const mongo = await mongoForTest(url);
      for (let index = 0; index < 50; index++)
        await mongo.work.enqueue({ queue: 'deliveries', id: String(index), lane: 'slow', data: '{}' }, new Date(0));
      const database = clientForTest(url).db(mongo.database);
      await database.command({ profile: 2 });
      expect(await mongo.work.claim('deliveries', 1, 1_000, ['slow'])).toEqual([]);
      await database.command({ profile: 0 });
      const [claim] = await database.collection('system.profile').find({ 'command.findAndModify': 'work' }).toArray();
      expect(claim).toMatchObject({ planSummary: 'IXSCAN { queue: 1, next: 1, lane: 1 }', docsExamined: 0 });
      await mongo.drop();
    });
  });
});
