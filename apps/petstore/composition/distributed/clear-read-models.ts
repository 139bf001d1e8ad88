import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { projections } from '../../../../libs/projections/projections.js';
import { OPERATOR_STATE } from '../../../../libs/runtime/operating/operator-state.js';
import { CommandError } from '../../errors/command-error.js';
import type { Log } from '../../logging/log.js';
import { openDistributedStore } from './distributed.js';
import { inspectServers } from './inspect-servers.js';
import { openStoredDatabase, type DistributedSettings } from './open-servers.js';

/** The faults that were found in the log, and whether the read models were cleared. */
export type ClearResult = { readonly faults: readonly HistoryFault[]; readonly isCleared: boolean };

/**
 * Checks the log, and records its faults. Clears all read models if the log has no faults or `acceptAltered` is true. The
 * workers then rebuild the read models.
 */
export const clearReadModels = async (settings: DistributedSettings, log: Log, acceptAltered: boolean): Promise<ClearResult> => {
  // Rejects if the database contains no store. Without this check, openDistributedStore would create a store in it.
  await (await openStoredDatabase(settings, log)).close();
  const opened = await openDistributedStore(settings, log);
  try {
    const { store, database, documents, decisions, codec, faults } = opened;
    for (const { collection } of projections) await database.projectionDocuments.prepare(collection);
    await documents.prepare(OPERATOR_STATE);
    await decisions.refresh();
    const [paused] = Object.keys(decisions.current().paused ?? {});
    // A paused read model would stay empty.
    if (paused !== undefined) throw new CommandError(`the read model ${paused} is paused: run "projections resume ${paused}" first`);
    const head = await store.lastPosition();
    const found = await inspectServers({ store, documents: database.documents, codec, head });
    for (const fault of found) faults.record(fault);
    await faults.waitUntilStored();
    const isCleared = found.length === 0 || acceptAltered;
    if (isCleared) await database.projectionDocuments.clear(...projections.map(({ collection }) => collection));
    return { faults: found, isCleared };
  } finally {
    await opened.close();
  }
};
