import { NotCopied, OtherHistory } from '../../../libs/runtime/codec/copy-log.js';
import { NotOneStore } from '../../../libs/runtime/codec/store-identity.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { AnotherKey } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import { CommandError } from '../errors/command-error.js';
import { copyToServers } from '../composition/distributed/copy-to-servers.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { openEmbeddedStore } from '../composition/embedded/embedded.js';
import { readFolderKeys, readFolderOwner } from '../composition/embedded/folder.js';
import { HistoryError } from '../errors/history-error.js';
import { inspectBeforeCopy } from '../composition/embedded/inspect-folder.js';
import { createLog } from '../logging/log.js';
import { clock } from '../composition/clock.js';
import { showProgress } from '../terminal/progress.js';

/** Carries the store in DATA_DIR over to the servers that the settings name: log, keys, ledger and deliveries; ids and hashes are kept. */
export const copyCommand = async (given: Settings, to: string): Promise<void> => {
  if (to !== 'distributed')
    throw new CommandError(`--to ${to}: a store is copied to "distributed", where EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS say`);
  const settings = requireServers(given);
  const { dataDir: directory } = settings;
  const holder = await readFolderOwner(directory);
  if (holder)
    throw new CommandError(`process ${holder.pid} is at work on ${directory}; stop it first, so that nothing comes after the copy`);
  const faults = await inspectBeforeCopy(directory);
  if (faults.length > 0) throw new HistoryError(faults, 'Nothing was copied.');
  const log = createLog(settings.logLevel);
  const keys = await readFolderKeys(directory);
  const store = await openEmbeddedStore({ directory, log });
  const total = store.head();
  const progress = showProgress(clock, total, 'events');
  try {
    const { store: events, documents, storeId } = store;
    if (storeId === null) throw new CommandError('DATA_DIR is :memory:, which holds nothing that could be copied');
    await copyToServers(settings, { directory, storeId, events, documents, keys, onProgress: (position) => progress.at(position) }, log);
    progress.done(total);
  } catch (error) {
    throw toCommandError(error);
  } finally {
    await store.close();
  }
  process.stdout.write(`${directory} is copied. Start "petstore worker" and "petstore api" there; the read models fill by themselves.\n`);
};

/** What went wrong in words that say what to do; a fault of this program as it is. */
const toCommandError = (error: unknown): unknown => {
  if (error instanceof AnotherKey || error instanceof OtherHistory || error instanceof NotOneStore)
    return new CommandError(
      `${error.message}. The servers hold another store already; copy into empty ones, before anything is started on them.`,
    );
  if (error instanceof NotCopied || error instanceof StoreUnavailable)
    return new CommandError(`${error.message}. The copy ends there; begun again, it goes on.`);
  return error;
};
