import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLogFile, STORE_FILE } from '../../../../libs/adapters/sqlite/index.js';
import { chainOnly, checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { projections } from '../../../../libs/projections/projections.js';
import { clock } from '../clock.js';
import { showProgress } from '../../terminal/progress.js';

/** A shorter log is checked before anybody could read how far it is. */
const MIN_EVENTS_FOR_PROGRESS = 20_000;

const never = (): never => {
  throw new Error('checking a chain asks for no key, id or time');
};

/**
 * What is wrong with the history in a folder, in use or not. Events of a newer version are none of it: their chain is
 * whole, and a copy has them as they are.
 */
export const inspectFolder = async (directory: string): Promise<readonly HistoryFault[]> => {
  const log = openLogFile(directory);
  try {
    const codec = createCodec(DOMAIN_EVENTS, {
      keys: { serviceKey: never, personalKey: never, destroyPersonalKey: never },
      ids: { next: never, derived: never },
      clock: { now: never, after: never },
    });
    const faults = new Map(log.lost(projections).map((fault) => [fault.stream, fault]));
    const progress = log.head < MIN_EVENTS_FOR_PROGRESS ? null : showProgress(clock, log.head, 'events checked');
    await checkHistory({
      store: log.store,
      codec: chainOnly(codec),
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

/** Inspects a folder that is to be copied. One without a log, or with a damaged one, is rejected by what copies it, in its own words. */
export const inspectBeforeCopy = async (directory: string): Promise<readonly HistoryFault[]> => {
  if (!existsSync(join(directory, STORE_FILE))) return [];
  try {
    return await inspectFolder(directory);
  } catch {
    return [];
  }
};
