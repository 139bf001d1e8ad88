import { chmodSync, closeSync, existsSync, openSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { openKeyVault, type OpenKeyVault } from '../open-key-vault.js';
import { completeCopy } from './backup-mark.js';
import { prepareFolder } from './database.js';
import { IN_MEMORY, KEYS_FILE, STORE_FILE } from './file-names.js';
import { findDamage } from './store-files.js';
import { folderRefused, storeIdOf, UNFINISHED } from './store-id.js';
import { HOLDER_FILE, LOCK_FILE, lockFolder } from './lock.js';
import { FolderRefused } from './refused.js';

/** Endings of the files that a failed copy may leave: the copy, the unfinished copy, and SQLite's files beside the latter. */
const COPY_SUFFIXES = ['', ...['', '-journal', '-wal', '-shm'].map((ending) => UNFINISHED + ending)];
const UNFINISHED_COPY = /\.sqlite\.part(-journal|-wal|-shm)?$/;

/** Number of database pages that are copied at a time. */
const PAGES = 2_000;

type PagesCopied = { readonly copiedPages: number; readonly totalPages: number };
export type BackupProgress = PagesCopied & { readonly file: string };

/**
 * The files of a store that are not in its databases, such as images. They are in the subfolder `folder`. If `copy` is called
 * again, it copies only new files.
 */
export type BesideDatabases = { readonly folder: string; readonly copy: (from: string, to: string) => Promise<void> };

/**
 * Copies the databases of a folder to an empty folder. This process or another may write to the databases meanwhile. The keys
 * are copied after the log, so that the copy has the key of every copied event. The files `beside` the databases are copied
 * before the databases, because the service may remove some of them during the backup. They are copied again after the
 * databases, to add the files that new events name.
 */
export const backupFolder = async (
  from: string,
  to: string,
  onProgress: (progress: BackupProgress) => void = () => undefined,
  beside?: BesideDatabases,
): Promise<void> => {
  const files = databasesOf(from, 'store');
  assertNotInside(from, to);
  assertEmpty(to);
  const copyBeside = beside && { folder: beside.folder, copy: () => beside.copy(from, to) };
  await fillFolder(to, files, copyBeside, async (file) => {
    await copyDatabase(join(from, file), join(to, file + UNFINISHED), true, (done) => onProgress({ file, ...done }));
    // Copying does not detect damage. Without this check, damage would be found only when the backup is restored.
    const damage = findDamage(to, file + UNFINISHED);
    if (damage !== null)
      throw folderRefused('damaged', from, [`${file} is damaged (${damage}); its copy in ${to} is damaged, too, and was removed`]);
  });
};

/**
 * Creates the folder, and calls `copy` for each database and then `prepare`. Copies of databases have the suffix UNFINISHED
 * until all are complete, so that no command uses an interrupted backup. After a failure, all copies are removed.
 */
const fillFolder = async (
  folder: string,
  files: readonly string[],
  beside: { readonly folder: string; readonly copy: () => Promise<void> } | undefined,
  copy: (file: string) => Promise<void>,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  const isNew = !existsSync(folder);
  prepareFolder(folder);
  let isPreparing = false;
  try {
    await beside?.copy();
    for (const file of files) await copy(file);
    await beside?.copy();
    isPreparing = true;
    await prepare();
    isPreparing = false;
    for (const file of files) renameSync(join(folder, file + UNFINISHED), join(folder, file));
  } catch (error) {
    for (const file of files) for (const part of COPY_SUFFIXES) rmSync(join(folder, file + part), { force: true });
    if (beside) rmSync(join(folder, beside.folder), { recursive: true, force: true });
    if (isNew) rmdirSync(folder);
    if (isPreparing || error instanceof FolderRefused) throw error;
    throw new FolderRefused(
      'unusable',
      `could not write the copy to ${folder}: ${reasonOf(error)}. The copied files were removed: correct the cause, and run the command again`,
      {
        cause: error,
      },
    );
  }
};

/** Changes the keys of a restored store. `change` runs before any process can use the keys. */
export type KeyChange = { readonly clock: Clock; readonly change: (keys: OpenKeyVault) => Promise<void> };

/**
 * Checks that a backup is complete and undamaged, then copies it to an empty folder that no process uses. If
 * `keyChange` fails, nothing is restored.
 */
export const restoreBackup = async (from: string, to: string, keyChange?: KeyChange, beside?: BesideDatabases): Promise<void> => {
  const files = databasesOf(from, 'backup');
  for (const file of files) assertUndamaged(from, file);
  assertNotInMemory(to);
  assertNotInside(from, to);
  // A folder without a lock file is not in use. It is checked before it is locked, so that a folder with other files gets no
  // lock file.
  if (!existsSync(join(to, LOCK_FILE))) assertEmpty(to);
  prepareFolder(to);
  const lock = lockFolder(to, new Date());
  try {
    assertEmpty(to);
    const copy = (file: string): Promise<void> => copyDatabase(join(from, file), join(to, file + UNFINISHED), false);
    const copyBeside = beside && { folder: beside.folder, copy: () => beside.copy(from, to) };
    await fillFolder(to, files, copyBeside, copy, () => changeKeys(to, keyChange));
  } finally {
    lock.release();
  }
};

const changeKeys = async (folder: string, keyChange: KeyChange | undefined): Promise<void> => {
  if (!keyChange) return;
  const file = KEYS_FILE + UNFINISHED;
  const keys = await openKeyVault(folder, keyChange.clock, file);
  try {
    await keyChange.change(keys);
  } finally {
    await keys.close();
  }
  completeCopy(join(folder, file), false);
};

/**
 * Returns the folder's databases, the log first. Throws FolderRefused unless the folder contains a complete store.
 */
const databasesOf = (folder: string, what: 'store' | 'backup'): readonly string[] => {
  if (folder === IN_MEMORY) throw new FolderRefused('not_a_store', 'a store in memory cannot be copied: use a folder');
  storeIdOf(folder, what);
  const others = readdirSync(folder).filter((file) => file.endsWith('.sqlite') && file !== STORE_FILE && file !== LOCK_FILE);
  return [STORE_FILE, ...others.sort()];
};

const assertNotInside = (from: string, to: string): void => {
  const path = relative(realPathOf(from), realPathOf(to));
  if (path.split(sep)[0] !== '..' && !isAbsolute(path))
    throw new FolderRefused('unusable', `${to} is inside the folder to copy: choose a folder outside it`);
};

/** Resolves the symbolic links of a path, even if its last parts do not exist. */
const realPathOf = (path: string): string => {
  const absolute = resolve(path);
  if (existsSync(absolute) || absolute === dirname(absolute)) return realpathSync(absolute);
  return join(realPathOf(dirname(absolute)), basename(absolute));
};

const assertNotInMemory = (folder: string): void => {
  if (folder === IN_MEMORY) throw new FolderRefused('unusable', 'a store cannot be copied into memory: use a folder');
};

/** Throws FolderRefused unless the folder is missing or empty. The files of a lock do not count. */
const assertEmpty = (folder: string): void => {
  assertNotInMemory(folder);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new FolderRefused('unusable', `${folder} is a file: choose an empty or a new folder`);
  const found = existsSync(folder)
    ? readdirSync(folder).filter((file) => !file.startsWith(LOCK_FILE) && !file.startsWith(HOLDER_FILE))
    : [];
  if (found.length === 0) return;
  const foreign = found.find((file) => !UNFINISHED_COPY.test(file));
  const remedy = foreign
    ? 'choose an empty folder'
    : 'a backup or restore into this folder was stopped, or is still running. If it was stopped, its files may be removed';
  throw new FolderRefused('not_empty', `${folder} is not empty (${foreign ?? found[0]}): ${remedy}`);
};

/**
 * Copies a snapshot of the source in the thread pool. `isBackup` marks the copy as a file of a backup. A read transaction keeps
 * the snapshot. The transaction does not block writers, and their writes do not restart the copy.
 */
const copyDatabase = async (
  from: string,
  to: string,
  isBackup: boolean,
  onProgress: (done: PagesCopied) => void = () => undefined,
): Promise<void> => {
  closeSync(openSync(to, 'wx', 0o600));
  // The umask may have taken permissions away.
  chmodSync(to, 0o600);
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    source.exec('BEGIN');
    const totalPages = Number(source.prepare('PRAGMA page_count').get()?.['page_count']);
    onProgress({ totalPages, copiedPages: 0 });
    await backup(source, to, {
      rate: PAGES,
      progress: ({ remainingPages }) => onProgress({ totalPages, copiedPages: totalPages - remainingPages }),
    });
    onProgress({ totalPages, copiedPages: totalPages });
  } finally {
    source.close();
  }
  completeCopy(to, isBackup);
};

const assertUndamaged = (folder: string, file: string): void => {
  const damage = findDamage(folder, file);
  if (damage !== null) throw folderRefused('damaged', folder, [`${file} is damaged: ${damage}`], 'backup');
};
