import { describe, expect, it } from '@jest/globals';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';

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
  });
});
