import { afterAll, describe, expect, it } from '@jest/globals';
import { ALL_ROLES, startCluster } from './cluster.js';
import { newNamespace } from './new-namespace.js';
import { describeIfAvailable } from './services/describe-if-available.js';
import { catchServerMissing } from './services/shared.js';

const available = await catchServerMissing(startCluster({ apis: 0, workers: [] }));

describeIfAvailable('the start of a cluster', available, (cluster) =>
  describe('the start of a cluster', () => {
    afterAll(() => cluster.close());

    // The check is in test/environment.js, which fails the suite if a process or a folder remains.
    it('leaves no server running if it fails', async () => {
      await expect(startCluster({ settings: { LOG_LEVEL: 'loud' } })).rejects.toThrow('LOG_LEVEL is "loud"');
    });

    it('logs no stack trace, also if the store is new', async () => {
      const { apis, workers } = await cluster.startNeighbour(newNamespace(), { workers: [ALL_ROLES, ALL_ROLES] });
      for (const member of [...apis, ...workers]) expect(member.log()).not.toContain('"stack"');
    });
  }),
);
