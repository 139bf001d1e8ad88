import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findDamage, FolderRefused, openLogFile, STORE_FILE, STORE_FILES, storeIdOf } from '../../../../libs/adapters/sqlite/index.js';
import { chainOnlyCodec, checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { recordedTimeOf } from '../../../../libs/runtime/codec/monotonic-clock.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { projections } from '../../../../libs/projections/projections.js';
import { clock } from '../clock.js';
import { showProgress } from '../../terminal/progress.js';

/** The minimum number of events for which a check shows its progress. A check of fewer events takes too little time. */
const MIN_EVENTS_FOR_PROGRESS = 20_000;

/**
 * Returns whether every event raises the revision of its document in the read model. If the projection ignores some events, a
 * document may have a lower revision than its stream, and that is not a fault.
 */
const showsEveryEvent = ({ on }: Projection): boolean => !Object.values(on).includes('ignore');

/** Replaces the ports that a check of hashes never uses. */
const never = (): never => {
  throw new Error('the check of a hash chain uses no key, id or time');
};

/**
 * Opens a snapshot of the log of a folder for a check of its hashes. A process may use the folder at the same time. Callers wrap
 * the codec in `chainOnlyCodec`, which only checks hashes and does not decode events. So events that a newer version of the
 * software wrote are not faults.
 */
export const openVerifiedFolder = (directory: string) => {
  const log = openLogFile(directory);
  const codec = createCodec(DOMAIN_EVENTS, {
    keys: { serviceKey: never, personalKey: never, destroyPersonalKey: never },
    ids: { next: never, derived: never },
    clock: { now: never, elapsed: never, after: never },
  });
  return {
    ...{ store: log.store, codec, upTo: log.head },
    findMissingEvents: () => log.findMissingEvents(projections),
    findUnprojectedEvents: () => log.findUnprojectedEvents(projections.filter(showsEveryEvent)),
    close: () => log.close(),
  };
};

/** What a check of a folder has found: the number of its events, when the last one was recorded, and one fault for each broken stream. */
type InspectedFolder = { readonly events: number; readonly lastEventAt: Date | null; readonly faults: readonly HistoryFault[] };

/**
 * Checks the hashes of the log in a folder, and compares the log with the read models. A process may use the folder at the same
 * time.
 */
export const inspectEvents = async (directory: string): Promise<InspectedFolder> => {
  const { store, codec, upTo, ...log } = openVerifiedFolder(directory);
  try {
    const faults = new Map(log.findMissingEvents().map((fault) => [fault.stream, fault]));
    const progress = upTo < MIN_EVENTS_FOR_PROGRESS ? null : showProgress(clock, upTo, 'events checked');
    await checkHistory({
      store,
      codec: chainOnlyCodec(codec),
      upTo,
      positions: 'without gaps',
      onFault: (fault) => void faults.set(fault.stream, fault),
      onProgress: (position) => progress?.at(position),
    });
    progress?.done(upTo);
    const [last] = await store.readAll(upTo - 1, 1);
    return { events: upTo, lastEventAt: (last && recordedTimeOf(last)) ?? null, faults: [...faults.values()] };
  } finally {
    log.close();
  }
};

/** Why the files of a folder cannot be used, and what helps. `isOfKeys`: the file with the keys is the reason. */
export type UnusableFile = { readonly isOfKeys: boolean; readonly text: string; readonly remedy: string };

/** Checks that the files of a store exist, belong together and are not damaged. A folder without a store has nothing unusable. */
export const inspectFiles = (directory: string): readonly UnusableFile[] => {
  const closed = closedFolder(directory);
  if (closed) return [closed];
  try {
    storeIdOf(directory);
  } catch (error) {
    const unusable = unusableIn(error);
    if (!unusable) throw error;
    return error instanceof FolderRefused && error.refusal === 'not_a_store' ? [] : [unusable];
  }
  return STORE_FILES.flatMap((file) => {
    const damage = findDamage(directory, file);
    const remedy = 'stop the service, and restore the whole folder from a backup';
    return damage === null ? [] : [{ isOfKeys: file.startsWith('keys'), text: `${file} is damaged: ${damage}`, remedy }];
  });
};

/** Returns why this user cannot use a folder, whatever is in it. SQLite needs a -shm file beside each database, also to read. */
const closedFolder = (directory: string): UnusableFile | null => {
  if (!existsSync(directory)) return null;
  if (!statSync(directory).isDirectory())
    return { isOfKeys: false, text: `${directory} is a file, not a folder`, remedy: 'correct DATA_DIR' };
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const foreign = STORE_FILES.find((file) => existsSync(join(directory, file)) && !isAccessible(join(directory, file)));
    if (foreign === undefined) return null;
    return { isOfKeys: false, text: `this user may not read and write ${join(directory, foreign)}`, remedy: AS_SERVICE };
  } catch (error) {
    return { isOfKeys: false, text: `this user may not write to ${directory}: ${reasonOf(error)}`, remedy: AS_SERVICE };
  }
};

const AS_SERVICE = 'run this command as the user of the service, and let that user write to the folder';

const isAccessible = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Returns what an error says of the files of a folder, or null if it says nothing of them. */
export const unusableIn = (error: unknown): UnusableFile | null => {
  if (!(error instanceof FolderRefused)) return null;
  const [text = '', ...remedy] = error.message.split('\n');
  return { isOfKeys: text.includes('keys.sqlite'), text, remedy: remedy.join(' ') || 'see the text' };
};

/** Returns the faults that `inspectEvents` finds. */
export const inspectFolder = async (directory: string): Promise<readonly HistoryFault[]> => (await inspectEvents(directory)).faults;

/**
 * Returns the faults of a folder before it is copied. Returns `[]` if the log file is missing or cannot be read, because the
 * copy then fails with a better message.
 */
export const inspectBeforeCopy = async (directory: string): Promise<readonly HistoryFault[]> => {
  if (!existsSync(join(directory, STORE_FILE))) return [];
  try {
    return await inspectFolder(directory);
  } catch {
    return [];
  }
};
