import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { projections } from '../../../../libs/projections/projections.js';
import type { Log } from '../../logging/log.js';
import { openDistributedStore } from './distributed.js';
import { inspectServers } from './inspect-servers.js';
import { openStoredDatabase, type DistributedSettings } from './open-servers.js';

/** What a rebuild on several machines came to: what is wrong with the history, and whether the workers make the read models anew. */
export type ClearResult = { readonly faults: readonly HistoryFault[]; readonly isCleared: boolean };

/**
 * Forgets all read models, for the workers to make them anew, when the whole history is as it was written, or when that is told
 * to be no matter. What is broken is recorded either way.
 */
export const clearReadModels = async (settings: DistributedSettings, log: Log, acceptAltered: boolean): Promise<ClearResult> => {
  await (await openStoredDatabase(settings, log)).close();
  const opened = await openDistributedStore(settings, log);
  try {
    const { store, database, codec, faults } = opened;
    for (const { collection } of projections) await database.building.prepare(collection);
    const head = await store.lastPosition();
    const found = await inspectServers({ store, documents: database.documents, codec, head });
    for (const fault of found) faults.note(fault);
    await faults.settled();
    const isBegun = found.length === 0 || acceptAltered;
    if (isBegun) await database.building.clear(...projections.map(({ collection }) => collection));
    return { faults: found, isCleared: isBegun };
  } finally {
    await opened.close();
  }
};
