import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../../libs/settings/settings.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { copyFolder, restoreFolder } from '../composition/embedded/folder.js';
import { formatFaults, HistoryError } from '../errors/history-error.js';
import { inspectBeforeCopy } from '../composition/embedded/inspect-folder.js';

/** The file in a copy that says its history was altered before the copy was made. */
const EVIDENCE_FILE = 'ALTERED-HISTORY.txt';

export type BackupOptions = {
  /** Copies an altered history all the same, and says so in the copy. */
  readonly asEvidence?: boolean;
};

/** Copies the folder, live or not: the log first, then the keys, so that the copy has a key for every event in it. */
export const backupCommand = async (
  { dataDir }: Settings,
  directory: string,
  { asEvidence = false }: BackupOptions = {},
): Promise<void> => {
  const faults = await inspectBeforeCopy(dataDir);
  if (faults.length > 0 && !asEvidence)
    throw new HistoryError(faults, 'Nothing was copied; --as-evidence copies the store as it is, and says so in the copy.');
  await copyFolder(dataDir, directory);
  if (faults.length > 0) {
    writeFileSync(join(directory, EVIDENCE_FILE), formatEvidence(dataDir, faults), { mode: 0o600 });
    throw new HistoryError(faults, `${dataDir} is copied to ${directory} as evidence; ${EVIDENCE_FILE} there says so.`);
  }
  process.stdout.write(`${dataDir} is copied to ${directory}. The copy holds its keys: keep it as safe as the store itself.\n`);
};

/** Copies a backup into an empty DATA_DIR. */
export const restoreCommand = async ({ dataDir }: Settings, directory: string): Promise<void> => {
  const faults = await inspectBeforeCopy(directory);
  const isEvidence = existsSync(join(directory, EVIDENCE_FILE));
  if (faults.length > 0 || isEvidence)
    throw new HistoryError(
      faults,
      isEvidence
        ? `Nothing was restored: ${directory} was made as evidence of an altered history (${EVIDENCE_FILE}). Restore a backup that was made before.`
        : 'Nothing was restored.',
    );
  await restoreFolder(directory, dataDir);
  process.stdout.write(`${directory} is restored to ${dataDir}. npm start opens it.\n`);
};

const formatEvidence = (dataDir: string, faults: readonly HistoryFault[]): string =>
  [`This is a copy of ${dataDir}, made as evidence: its history was altered before the copy was made.`, ...formatFaults(faults), ''].join(
    '\n',
  );
