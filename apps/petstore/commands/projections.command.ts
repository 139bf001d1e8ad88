import type { Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { openEmbeddedStore } from '../composition/embedded/embedded.js';
import { readFolderOwner } from '../composition/embedded/folder.js';
import { HistoryError } from '../errors/history-error.js';
import { createLog } from '../logging/log.js';
import { clock } from '../composition/clock.js';
import { showProgress } from '../terminal/progress.js';

/** Makes all read models anew from the log; on several machines the workers do it. */
export const projectionsCommand = async (settings: Settings, acceptAltered: boolean): Promise<void> => {
  if (settings.servers) {
    const { clearReadModels } = await import('../composition/distributed/clear-read-models.js');
    const log = createLog(settings.logLevel);
    const { faults, isCleared: isBegun } = await clearReadModels({ ...settings, servers: settings.servers }, log, acceptAltered);
    if (faults.length > 0)
      throw new HistoryError(
        faults,
        isBegun
          ? 'The workers make the read models anew without these streams, whose resources answer 503.'
          : 'The read models stay as they are, and these resources answer 503; --accept-altered has the rest made anew.',
      );
    process.stdout.write('The read models are begun anew; the workers fill them, and /health/ready says how far they are behind.\n');
    return;
  }
  const holder = await readFolderOwner(settings.dataDir);
  if (holder) throw new CommandError(`process ${holder.pid} is at work on ${settings.dataDir}; stop it first, then rebuild`);
  const store = await openEmbeddedStore({ directory: settings.dataDir, log: createLog(settings.logLevel) });
  try {
    const progress = showProgress(clock, store.head(), 'events');
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    const onProgress = (position: number): void => progress.at(position);
    const { position, faults, isInService } = await store.rebuild({ onProgress, signal: stop.signal, acceptAltered });
    progress.done(position);
    if (stop.signal.aborted) throw new CommandError('stopped half-way; the next rebuild goes on from there');
    if (faults.length > 0)
      throw new HistoryError(
        faults,
        isInService
          ? 'The new read models are in service without these streams, whose resources answer 503.'
          : 'The former read models stay in service, and these resources answer 503; --accept-altered puts the new ones in service without them.',
      );
  } finally {
    await store.close();
  }
};
