import { existsSync } from 'node:fs';
import { applyErasures, ForeignErasures, listErasures, type ErasureList } from '../../../../libs/application/erasures/erasure-list.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { readFolderOwner, type OpenKeys } from '../../composition/embedded/folder.js';
import { openKeys } from '../../composition/open-keys.js';
import { CommandError } from '../../errors/command-error.js';
import { programOn } from '../../terminal/installation.js';
import { readErasures, STANDARD, writeErasures } from './erasures-file.js';
import { unmarkErasures } from './unfinished-erasures.js';

/** Writes the list of all erasures of the store to a file (contract 38.2). The service may be running. */
export const exportErasuresCommand = async (settings: Settings, file: string): Promise<void> => {
  const { keys, close } = await openKeys(settings);
  try {
    const list = withEarlier(await listErasures(keys), file);
    writeErasures(file, list);
    if (file !== STANDARD)
      process.stdout.write(`${list.erased.length} erasures were written to ${file}. Keep it apart from the backups.\n`);
  } finally {
    await close();
  }
};

/**
 * Returns the list together with the entries that the file already contains: an export never removes an entry (contract 38.2).
 * Throws CommandError if the file has the list of another store.
 */
const withEarlier = (list: ErasureList, file: string): ErasureList => {
  if (file === STANDARD || !existsSync(file)) return list;
  const earlier = readErasures(file);
  if (earlier.check !== list.check) throw new CommandError(`${file} has the erasures of another store: choose another file`);
  return { ...list, erased: [...new Set([...earlier.erased, ...list.erased])].sort() };
};

/**
 * Destroys the keys that a list names. Returns the names of all destroyed keys of the store, including those destroyed before.
 * Rejects with CommandError, whose message names `file`, if the list belongs to another store.
 */
export const applyTo = async (keys: OpenKeys['keys'], list: ErasureList, file: string): Promise<readonly string[]> => {
  try {
    return await applyErasures(keys, list);
  } catch (error) {
    if (!(error instanceof ForeignErasures)) throw error;
    throw new CommandError(`${file} has the erasures of another store: pass the list of the store that was backed up`, { cause: error });
  }
};

/**
 * Erases the persons in a list again, in a store that was restored without `restore --erasures` (contract 38.3). No process
 * of the service may be running.
 */
export const applyErasuresCommand = async (settings: Settings, file: string): Promise<void> => {
  const list = readErasures(file);
  await assertStopped(settings);
  const { keys, close } = await openKeys(settings);
  let destroyed: readonly string[];
  try {
    destroyed = await applyTo(keys, list, file);
  } finally {
    await close();
  }
  await completeErasures(settings, destroyed);
};

/**
 * Rejects with CommandError if a process uses DATA_DIR, because a running service keeps using keys that it has cached. In the
 * distributed profile the command cannot check this, so operators must stop all processes.
 */
const assertStopped = async ({ servers, dataDir }: Settings): Promise<void> => {
  const owner = servers || dataDir === ':memory:' ? null : await readFolderOwner(dataDir);
  if (owner) throw new CommandError(`process ${owner.pid} uses ${dataDir}: stop the service, then apply the erasures`);
};

/**
 * Appends the erasures that the log lacks, and prints the result. `destroyed` has the names of all destroyed keys. Rejects
 * with CommandError if an erasure cannot be appended.
 */
export const completeErasures = async (settings: Settings, destroyed: readonly string[]): Promise<void> => {
  // Imported only when needed, because the web framework takes long to load.
  const { completeErasures: complete } = await import('../../in-process/complete-erasures.js');
  const { erased, failed } = await complete(settings, destroyed);
  const result = `${destroyed.length} keys are destroyed, and ${erased} persons were erased again`;
  if (failed.length > 0)
    throw new CommandError(
      `${result}. The data of ${failed.length} others is erased, but the log lacks their erasures: ${failed.join('; ')}. Correct the cause, and run "${programOn(settings)} erasures apply FILE" before you start the service`,
    );
  if (!settings.servers) unmarkErasures(settings.dataDir);
  process.stdout.write(`The erasures were applied: ${result}.\n`);
};
