import { describe, expect, it } from '@jest/globals';
import { memoryFaults, testCodec, createTestLog } from '../../libs/runtime/following/following.fixtures.js';
import { PARKED_STREAMS } from '../../libs/runtime/projecting/parked-streams.js';
import { openLeasedEngine } from '../../libs/runtime/projecting/projection-role.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import type { Message } from '../../libs/eventsourcing/message.js';
import { projection } from '../../libs/eventsourcing/projection.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';

const LARGE = 'x'.repeat(250_000);
/** The number of documents. So many do not fit into one transaction of the test server, which has little memory. */
const THINGS = 250;
const NAME = 'a read model of large documents on MongoDB';

const things = projection<Message<'Made', null> | Message<'Grown', null>, { size: number; text: string }, { size: number }>({
  name: 'large_things',
  version: 1,
  category: 'thing',
  fields: { size: 'integer' },
  indexes: [],
  cells: ['size'],
  amount: () => 1,
  on: {
    Made: () => ({ body: { size: 1, text: LARGE }, fields: { size: 1 } }),
    Grown: (thing) => thing && { body: { ...thing.body, size: thing.body.size + 1 }, fields: { size: thing.body.size + 1 } },
  },
});

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  describe(NAME, () => {
    it('is updated by a batch of small events that changes any number of documents', async () => {
      const { projectionDocuments: documents, leases, drop } = await mongoForTest(url);
      const lease = await leases.acquire('large_things', 'test', 120_000);
      if (!lease) throw new Error('the lease has another owner');
      await documents.prepare(PARKED_STREAMS);
      await documents.prepare(things.collection);
      const log = createTestLog();
      const names = Array.from({ length: THINGS }, (_, index) => `thing-${index}`);
      const parts = { documents, lease, store: log.store, codec: testCodec, faults: memoryFaults(), projector: createProjector(things) };
      const projecting = await openLeasedEngine({ ...parts, onParked: () => undefined });
      for (let from = 0; from < THINGS; from += 10) {
        log.add(...names.slice(from, from + 10));
        await projecting.apply(log.events.slice(from));
      }
      log.add(...names.map((name) => `${name}:Grown`));
      await projecting.apply(log.events.slice(THINGS));
      expect(await documents.sum(things.collection, { size: 2 })).toEqual({ '': THINGS });
      expect(await documents.checkpoint('large_things_v1')).toBe(2 * THINGS);
      await drop();
    });
  });
});
