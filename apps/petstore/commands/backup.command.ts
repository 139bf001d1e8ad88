import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../../libs/settings/settings.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { copyFolder, restoreFolder } from '../composition/embedded/folder.js';
import { formatFaults, HistoryError } from '../errors/history-error.js';
import { inspectBeforeCopy } from '../composition/embedded/inspect-folder.js';
import { PROGRAM_NAME } from '../terminal/installation.js';

/** The file that marks a copy of an altered history. */
const EVIDENCE_FILE = 'ALTERED-HISTORY.txt';

export type BackupOptions = {
  /** Copies a store even if its history is altered, and records that in the copy. */
  readonly asEvidence?: boolean;
};

/**
 * Copies the folder of a running or stopped store. The log is copied before the keys, so that the copy has a key for
 * each of its events.
 */
export const backupCommand = async (
  { dataDir }: Settings,
  directory: string,
  { asEvidence = false }: BackupOptions = {},
): Promise<void> => {
  const faults = await inspectBeforeCopy(dataDir);
  if (faults.length > 0 && !asEvidence)
    throw new HistoryError(faults, 'Nothing was copied. To copy the store as it is, pass --as-evidence.');
  await copyFolder(dataDir, directory);
  if (faults.length > 0) {
    writeFileSync(join(directory, EVIDENCE_FILE), formatEvidence(dataDir, faults), { mode: 0o600 });
    throw new HistoryError(faults, `${dataDir} was copied to ${directory} as evidence. ${EVIDENCE_FILE} in the copy lists the faults.`);
  }
  process.stdout.write(`${dataDir} was copied to ${directory}. The copy contains the keys: protect it like the store.\n`);
};

/** Copies a backup to DATA_DIR, which must be empty. */
export const restoreCommand = async ({ dataDir }: Settings, directory: string): Promise<void> => {
  const faults = await inspectBeforeCopy(directory);
  const isEvidence = existsSync(join(directory, EVIDENCE_FILE));
  if (faults.length > 0 || isEvidence)
    throw new HistoryError(
      faults,
      isEvidence
        ? `Nothing was restored: ${directory} is evidence of an altered history (${EVIDENCE_FILE}). Restore an older backup.`
        : 'Nothing was restored.',
    );
  await restoreFolder(directory, dataDir);
  process.stdout.write(`${directory} was restored to ${dataDir}. Start it with "${PROGRAM_NAME} start".\n`);
};

const formatEvidence = (dataDir: string, faults: readonly HistoryFault[]): string =>
  [`This is a copy of ${dataDir}, made as evidence. Its history was altered before the copy.`, ...formatFaults(faults), ''].join('\n');
