import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../../libs/settings/settings.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { copyFolder, restoreFolder } from '../composition/embedded/folder.js';
import { CommandError } from '../errors/command-error.js';
import { applyTo, completeErasures } from './erasures/erasures.command.js';
import { readErasures } from './erasures/erasures-file.js';
import { markUnfinishedErasures } from './erasures/unfinished-erasures.js';
import type { OpenKeys } from '../composition/embedded/folder.js';
import { formatFaults, HistoryError } from '../errors/history-error.js';
import { inspectBeforeCopy, inspectEvents } from '../composition/embedded/inspect-folder.js';
import { programOn } from '../terminal/installation.js';

/** The file in a copy that marks the copied history as altered. Such a copy cannot be restored. */
const EVIDENCE_FILE = 'ALTERED-HISTORY.txt';

export type BackupOptions = {
  /** Copies a store even if its history is altered. EVIDENCE_FILE in the copy then lists the faults. */
  readonly asEvidence?: boolean;
};

/**
 * Copies the store in DATA_DIR, even while a service uses it. Copies the log before the keys, so that the copy has a key for
 * each of its events. Rejects with HistoryError if the history is altered, even if the store was copied as evidence.
 */
export const backupCommand = async (
  { dataDir }: Settings,
  directory: string,
  { asEvidence = false }: BackupOptions = {},
): Promise<void> => {
  const faults = await inspectBeforeCopy(dataDir);
  if (faults.length > 0 && !asEvidence)
    throw new HistoryError(faults, 'Nothing was copied. To copy the store as it is, pass --as-evidence.');
  warn(await copyFolder(dataDir, directory));
  if (faults.length > 0) {
    writeFileSync(join(directory, EVIDENCE_FILE), formatEvidence(dataDir, faults), { mode: 0o600 });
    throw new HistoryError(faults, `${dataDir} was copied to ${directory} as evidence. ${EVIDENCE_FILE} in the copy lists the faults.`);
  }
  const { events, faults: ofCopy } = await inspectEvents(directory);
  if (ofCopy.length > 0) throw new HistoryError(ofCopy, `The copy in ${directory} is not intact. Remove it, and copy the store again.`);
  process.stdout.write(
    `${dataDir} was copied to ${directory}: ${events.toLocaleString('en-US')} events, ${sizeOf(directory)}. ` +
      'The copy was read again, and its history is intact. It contains the keys: protect it like the store.\n',
  );
};

/** Returns the size of the files in a folder, in MB. */
const sizeOf = (directory: string): string => {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
};

const warn = (warning: string | null): void => void (warning && process.stderr.write(`${warning}\n`));

export type RestoreOptions = {
  /** The path of a list of erasures, which "erasures export" has written. */
  readonly erasures?: string;
};

/**
 * Copies a backup to DATA_DIR, which must be empty. Destroys the keys of the persons in the list `erasures` before any
 * process can use these keys (contract 38.3).
 */
export const restoreCommand = async (settings: Settings, directory: string, { erasures: file }: RestoreOptions = {}): Promise<void> => {
  const { dataDir } = settings;
  const list = file === undefined ? null : readErasures(file);
  if (!list && settings.nodeEnv === 'production')
    throw new CommandError(
      'NODE_ENV is production: pass --erasures FILE with the newest list of "erasures export". Without it, persons who were erased after the backup would be back',
    );
  await assertRestorable(directory);
  // Without `servers`, the erasures are appended to the log of the restored folder, not to the log of the servers.
  const { servers: _, ...ofFolder } = settings;
  let destroyed: readonly string[] | null = null;
  const applyList =
    list &&
    (async (keys: OpenKeys['keys']): Promise<void> => {
      destroyed = await applyTo(keys, list, file ?? '');
      markUnfinishedErasures(ofFolder);
    });
  warn(await restoreFolder(directory, dataDir, applyList ?? undefined));
  if (destroyed) await completeErasures(ofFolder, destroyed);
  process.stdout.write(`${directory} was restored to ${dataDir}. Start the service with "${programOn(ofFolder)} start".\n`);
};

/** Rejects with HistoryError if the history of a backup is altered, or if the backup was made as evidence. */
const assertRestorable = async (directory: string): Promise<void> => {
  const faults = await inspectBeforeCopy(directory);
  const isEvidence = existsSync(join(directory, EVIDENCE_FILE));
  if (faults.length === 0 && !isEvidence) return;
  throw new HistoryError(
    faults,
    isEvidence
      ? `Nothing was restored: ${directory} is evidence of an altered history (${EVIDENCE_FILE}). Restore an older backup.`
      : 'Nothing was restored.',
  );
};

const formatEvidence = (dataDir: string, faults: readonly HistoryFault[]): string =>
  [`This is a copy of ${dataDir}, made as evidence. Its history was altered before the copy.`, ...formatFaults(faults), ''].join('\n');
