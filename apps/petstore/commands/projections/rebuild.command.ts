import type { Settings } from '../../../../libs/settings/settings.js';
import { CommandError } from '../../errors/command-error.js';
import { openEmbeddedStore } from '../../composition/embedded/embedded.js';
import { readFolderOwner, requireStore } from '../../composition/embedded/folder.js';
import { HistoryError } from '../../errors/history-error.js';
import { createLog } from '../../logging/log.js';
import { chainsInThread } from '../audit/chains-in-thread.js';
import { clock } from '../../composition/clock.js';
import { showProgress } from '../../terminal/progress.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Rebuilds all read models from the log. In the distributed profile, only clears the read models; the workers rebuild them. If
 * the log has faults, rejects with HistoryError and keeps the current read models. With `acceptAltered`, replaces or clears
 * the current read models in spite of the faults, but rejects with HistoryError afterwards.
 */
export const projectionsCommand = async (settings: Settings, acceptAltered: boolean): Promise<void> => {
  if (settings.servers) {
    const { clearReadModels } = await import('../../composition/distributed/clear-read-models.js');
    const log = createLog(settings.logLevel);
    const { faults, isCleared } = await clearReadModels({ ...settings, servers: settings.servers }, log, acceptAltered);
    if (faults.length > 0)
      throw new HistoryError(
        faults,
        isCleared
          ? 'The workers rebuild the read models without these streams; the resources of these streams answer 503.'
          : 'The read models are unchanged, and the resources of these streams answer 503. To rebuild the read models without them, pass --accept-altered.',
      );
    process.stdout.write('The read models are empty. The workers rebuild them; /health/ready shows their lag.\n');
    return;
  }
  await rebuildFolder(settings, acceptAltered);
};

const rebuildFolder = async (settings: Settings, acceptAltered: boolean): Promise<void> => {
  if (settings.dataDir === ':memory:')
    throw new CommandError('DATA_DIR is :memory:, which has no read models to rebuild: set DATA_DIR to the folder of a store');
  const owner = await readFolderOwner(settings.dataDir);
  if (owner)
    throw new CommandError(
      `process ${owner.pid} is using ${settings.dataDir}: stop it, then run the rebuild, or rebuild one while it runs: projections rebuild NAME`,
    );
  requireStore(settings.dataDir);
  const { dataDir: directory, logLevel } = settings;
  const store = await openEmbeddedStore({ directory, log: createLog(logLevel), cacheKib: REBUILD_CACHE_KIB });
  try {
    const progress = showProgress(clock, store.head(), 'events');
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    const free = freeUnusedObjects();
    const onProgress = (position: number): void => {
      progress.at(position);
      free();
    };
    const { position, faults, isInService } = await store.rebuild({
      onProgress,
      signal: stop.signal,
      acceptAltered,
      ...chainsInThread(directory, store.head()),
    });
    progress.done(position);
    if (stop.signal.aborted) throw new CommandError('the rebuild was interrupted; run it again to resume');
    if (faults.length > 0)
      throw new HistoryError(
        faults,
        isInService
          ? 'The rebuilt read models are in service without these streams; the resources of these streams answer 503.'
          : 'The previous read models stay in service, and the resources of these streams answer 503. To use the rebuilt ones, pass --accept-altered.',
      );
  } finally {
    await store.close();
  }
};

/** The page caches of a rebuild in KiB. It reads and writes in order, so larger caches would only take memory. */
export const REBUILD_CACHE_KIB = 4_096;

/** The number of batches after which a rebuild frees all unused memory. That takes 20 ms. */
const FULL_COLLECTION_EVERY = 50;

/**
 * Returns a function that frees the memory of objects that are no longer used. A rebuild calls it after each batch, whose objects are
 * then no longer used. Otherwise V8 would take many of them for long-lived, and let 100 MB of them collect. The space of new objects
 * keeps its size: with large events it would grow to 100 MB, and a rebuild would be no faster.
 */
export const freeUnusedObjects = (): (() => void) => {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  let batches = 0;
  return () => void collect({ type: ++batches % FULL_COLLECTION_EVERY === 0 ? 'major' : 'minor' });
};
