import { describe, expect, it } from '@jest/globals';
import type { Collection } from '../../libs/eventsourcing/ports/documents.port.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';

const PETS: Collection = { name: 'pets', version: 1, fields: {}, indexes: [], cells: [] };
const NAME = 'checkpoints in MongoDB';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  describe(NAME, () => {
    it('have the event that their last write named, and none if it named none', async () => {
      const mongo = await mongoForTest(url);
      const event = { stream: 'pet-1', revision: 3, id: 'an id' };
      await mongo.documents.apply([], { name: 'pets', position: 7, event });
      await mongo.documents.apply([], { name: 'relay', position: 5, event });
      await mongo.documents.apply([], { name: 'relay', position: 6 });
      const stored = await mongo.checkpoints(['relay', 'pets', 'orders']);
      expect(stored.toSorted((one, other) => other.position - one.position)).toEqual([
        { name: 'pets', position: 7, event },
        { name: 'relay', position: 6 },
      ]);
      await mongo.drop();
    });

    it('have no event after a rebuild has begun, so that the log does not seem to lack it', async () => {
      const mongo = await mongoForTest(url);
      await mongo.documents.prepare(PETS);
      const event = { stream: 'pet-1', revision: 3, id: 'an id' };
      await mongo.projectionDocuments.apply([], { name: 'pets_v1', position: 7, event });
      await mongo.projectionDocuments.clear(PETS);
      expect(await mongo.checkpoints(['pets_v1'])).toEqual([{ name: 'pets_v1', position: 0 }]);
      await mongo.drop();
    });
  });
});
