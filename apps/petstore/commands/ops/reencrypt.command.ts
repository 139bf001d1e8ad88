import type { Settings } from '../../../../libs/settings/settings.js';
import { clock } from '../../composition/clock.js';
import { requireServers } from '../../composition/distributed/open-servers.js';
import { reencryptKeys } from '../../composition/distributed/reencrypt-keys.js';
import { CommandError } from '../../errors/command-error.js';
import { createLog } from '../../logging/log.js';
import { showProgress, type Progress } from '../../terminal/progress.js';

/**
 * Wraps every key in the database with KEY_ENCRYPTION_KEY instead of KEY_ENCRYPTION_KEY_PREVIOUS (contract 31.4). Repeats the
 * pass over all keys until it finds none that needs a change. Rejects with CommandError after Ctrl-C.
 */
export const reencryptKeysCommand = async (configured: Settings): Promise<void> => {
  const settings = requireServers(configured);
  if (!settings.keyEncryptionKey || !settings.previousKeyEncryptionKey)
    throw new CommandError(
      'KEY_ENCRYPTION_KEY_PREVIOUS is missing: set KEY_ENCRYPTION_KEY to the new key and KEY_ENCRYPTION_KEY_PREVIOUS to the former one, in every process',
    );
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  let progress: Progress | undefined;
  const { keys, rewrapped, isComplete } = await reencryptKeys(
    settings,
    {
      onPass: (count) => (progress = showProgress(clock, count, 'keys')),
      onProgress: (count) => progress?.at(count),
      signal: stop.signal,
    },
    createLog(settings.logLevel),
  );
  progress?.done(keys);
  if (!isComplete) throw new CommandError('the re-encryption was interrupted; run it again to resume');
  process.stdout.write(
    `All ${keys} keys are wrapped with KEY_ENCRYPTION_KEY, and none with KEY_ENCRYPTION_KEY_PREVIOUS (${rewrapped} were changed). ` +
      'Remove KEY_ENCRYPTION_KEY_PREVIOUS from every process.\n',
  );
};
