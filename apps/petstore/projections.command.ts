import type { Settings } from '../../libs/application/settings.js';
import { CommandError } from './command-error.js';
import { openEmbeddedStore, readHolder } from './embedded.module.js';
import { createLog } from './log.js';
import { progressBar } from './progress.js';

/** Makes all read models anew from the log; on several machines the workers do it. */
export const projectionsCommand = async (settings: Settings): Promise<void> => {
  if (settings.servers) {
    const { clearReadModels } = await import('./distributed.module.js');
    await clearReadModels({ ...settings, servers: settings.servers }, createLog(settings.logLevel));
    process.stdout.write('The read models are begun anew; the workers fill them, and /health/ready says how far they are behind.\n');
    return;
  }
  const holder = await readHolder(settings.dataDir);
  if (holder) throw new CommandError(`process ${holder.pid} is at work on ${settings.dataDir}; stop it first, then rebuild`);
  const store = await openEmbeddedStore({ directory: settings.dataDir, log: createLog(settings.logLevel) });
  try {
    const progress = progressBar(store.embedded.head(), 'events');
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    const reached = await store.rebuild({ onProgress: (position) => progress.at(position), signal: stop.signal });
    progress.done(reached);
    if (stop.signal.aborted) throw new CommandError('stopped half-way; the next rebuild goes on from there');
  } finally {
    await store.close();
  }
};
