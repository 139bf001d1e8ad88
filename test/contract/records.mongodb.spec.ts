import { describe, expect, it } from '@jest/globals';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';

const NAME = 'a table of records in MongoDB';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    it('keeps the first record of a key, and returns it to all concurrent writers', async () => {
      const mongo = await mongoForTest(url);
      const charges = mongo.records<{ outcome: string }>('charges');
      expect(await charges.get('one')).toBeNull();
      const results = await Promise.all(Array.from({ length: 10 }, (_, index) => charges.recordOnce('one', { outcome: String(index) })));
      expect(new Set(results.map(({ outcome }) => outcome)).size).toBe(1);
      expect(await charges.get('one')).toEqual(results[0]);
      expect(await charges.recordOnce('one', { outcome: 'another' })).toEqual(results[0]);
      await charges.recordOnce('two', { outcome: 'fine' });
      const all = [results[0], { outcome: 'fine' }].map((record, index) => ({ key: ['one', 'two'][index], record }));
      expect(await charges.between('', 'z', 10)).toEqual(all);
      expect(await mongo.records('refunds').between('', 'z', 10)).toEqual([]);
      await mongo.drop();
    });
  }),
);
