import { afterAll, describe, expect, it } from '@jest/globals';
import { startCluster } from './cluster.js';
import { describeIfAvailable } from './services/describe-if-available.js';
import { catchServerMissing } from './services/shared.js';

const available = await catchServerMissing(startCluster({ apis: 0, workers: [] }));

describeIfAvailable('a cluster that does not start', available, (cluster) =>
  describe('a cluster that does not start', () => {
    afterAll(() => cluster.close());

    // The check is in test/environment.js, which fails the suite if a process or a folder remains.
    it('leaves no server running', async () => {
      await expect(startCluster({ settings: { LOG_LEVEL: 'loud' } })).rejects.toThrow('LOG_LEVEL is "loud"');
    });
  }),
);
