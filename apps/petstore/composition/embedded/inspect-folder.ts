import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLogFile, STORE_FILE } from '../../../../libs/adapters/sqlite/index.js';
import { chainOnlyCodec, checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { projections } from '../../../../libs/projections/projections.js';
import { clock } from '../clock.js';
import { showProgress } from '../../terminal/progress.js';

/** For fewer events the check is so fast that it shows no progress. */
const MIN_EVENTS_FOR_PROGRESS = 20_000;

const never = (): never => {
  throw new Error('the check of a hash chain uses no key, id or time');
};

/**
 * Returns the faults of the history in a folder, which a process may use meanwhile. Only hashes are checked, so events
 * of a newer version are no faults.
 */
export const inspectFolder = async (directory: string): Promise<readonly HistoryFault[]> => {
  const log = openLogFile(directory);
  try {
    const codec = createCodec(DOMAIN_EVENTS, {
      keys: { serviceKey: never, personalKey: never, destroyPersonalKey: never },
      ids: { next: never, derived: never },
      clock: { now: never, after: never },
    });
    const faults = new Map(log.findMissingEvents(projections).map((fault) => [fault.stream, fault]));
    const progress = log.head < MIN_EVENTS_FOR_PROGRESS ? null : showProgress(clock, log.head, 'events checked');
    await checkHistory({
      store: log.store,
      codec: chainOnlyCodec(codec),
      upTo: log.head,
      positions: 'without gaps',
      onFault: (fault) => void faults.set(fault.stream, fault),
      onProgress: (position) => progress?.at(position),
    });
    progress?.done(log.head);
    return [...faults.values()];
  } finally {
    log.close();
  }
};

/**
 * Returns the faults of the history before a copy. Returns none if the log is missing or damaged, because the copy then
 * fails with a better message.
 */
export const inspectBeforeCopy = async (directory: string): Promise<readonly HistoryFault[]> => {
  if (!existsSync(join(directory, STORE_FILE))) return [];
  try {
    return await inspectFolder(directory);
  } catch {
    return [];
  }
};
