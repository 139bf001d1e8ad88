import { expect, it } from '@jest/globals';
import type { DistributedStore } from '../distributed/distributed.js';
import { measuredServers } from './measured-servers.js';

/** Proves contract 24.11. */
it.each([
  ['the end of the log', null, 7],
  ['none if the log lacks events that readers have handled: a lag of 0 would hide that', 'the log ends at position 7', null],
])('the head that lags are counted from is %s', async (_, missing, head) => {
  const opened = {
    store: { lastPosition: async () => 7 },
    logWatch: { missingEvents: () => missing },
    database: { projectionDocuments: {} },
  } as unknown as DistributedStore;
  const measured = await measuredServers(opened)
    .head()
    .catch((error: Error) => ({ name: error.name, message: error.message }));
  expect(measured).toEqual(head ?? { name: 'StoreUnavailable', message: missing });
});
