import { CopyFailed, HistoryMismatch } from '../../../libs/runtime/codec/copy-log.js';
import { StoreMismatch } from '../../../libs/runtime/codec/store-identity.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { KeyConflict } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import { CommandError } from '../errors/command-error.js';
import { copyToServers } from '../composition/distributed/copy-to-servers.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { openEmbeddedStore } from '../composition/embedded/embedded.js';
import { readFolderKeys, readFolderOwner } from '../composition/embedded/folder.js';
import { HistoryError } from '../errors/history-error.js';
import { inspectBeforeCopy } from '../composition/embedded/inspect-folder.js';
import { createLog } from '../logging/log.js';
import { clock } from '../composition/clock.js';
import { PROGRAM_NAME } from '../terminal/installation.js';
import { showProgress } from '../terminal/progress.js';

/**
 * Copies the store in DATA_DIR to the servers of the distributed profile. Copies the log, the keys, the images, the
 * payment ledger, and the documents that cannot be rebuilt from the log, such as password hashes, sessions and deliveries.
 * Events keep their ids and hashes.
 */
export const copyCommand = async (configured: Settings, to: string): Promise<void> => {
  if (to !== 'distributed')
    throw new CommandError(
      `--to ${to} is not a profile to copy to: pass "distributed", and set EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS`,
    );
  const settings = requireServers(configured);
  const { dataDir: directory } = settings;
  const owner = await readFolderOwner(directory);
  if (owner) throw new CommandError(`process ${owner.pid} is using ${directory}: stop it, so that the copy is complete`);
  const faults = await inspectBeforeCopy(directory);
  if (faults.length > 0) throw new HistoryError(faults, 'Nothing was copied.');
  const log = createLog(settings.logLevel);
  const keys = await readFolderKeys(directory);
  const store = await openEmbeddedStore({ directory, log });
  const total = store.head();
  const progress = showProgress(clock, total, 'events');
  try {
    const { store: events, documents, storeId } = store;
    if (storeId === null) throw new CommandError('DATA_DIR is :memory:, which has nothing to copy');
    await copyToServers(settings, { directory, storeId, events, documents, keys, onProgress: (position) => progress.at(position) }, log);
    progress.done(total);
  } catch (error) {
    throw toCommandError(error);
  } finally {
    await store.close();
  }
  process.stdout.write(
    `${directory} was copied. Start the processes with "${PROGRAM_NAME} worker" and "${PROGRAM_NAME} api"; the workers build the read models.\n`,
  );
};

/** Returns a CommandError that adds the remedy to an error of the copy. Returns any other error unchanged. */
const toCommandError = (error: unknown): unknown => {
  if (error instanceof KeyConflict || error instanceof HistoryMismatch || error instanceof StoreMismatch)
    return new CommandError(
      `${error.message}. The servers contain another store. Copy to empty servers, or set another NAMESPACE. Start processes only after the copy, because the first start creates a store.`,
    );
  if (error instanceof CopyFailed || error instanceof StoreUnavailable)
    return new CommandError(`${error.message}. The copy was interrupted; run it again to resume.`);
  return error;
};
