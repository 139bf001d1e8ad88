import { chainsInThread } from '../../apps/petstore/commands/audit/chains-in-thread.js';
import { freeUnusedObjects, REBUILD_CACHE_KIB } from '../../apps/petstore/commands/projections/rebuild.command.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';

/** Rebuilds the read models of the folder in argv as `petstore projections rebuild` does, and prints how fast. */
const directory = process.argv[2] ?? '';
const store = await openEmbeddedStore({ directory, log: createLog('warn'), cacheKib: REBUILD_CACHE_KIB });
const begun = performance.now();
const { position } = await store.rebuild({
  acceptAltered: false,
  onProgress: freeUnusedObjects(),
  ...chainsInThread(directory, store.head()),
});
const eventsPerSecond = position / ((performance.now() - begun) / 1000);
await store.close();
console.log(JSON.stringify({ eventsPerSecond, mebibytes: process.resourceUsage().maxRSS / 1024 }));
