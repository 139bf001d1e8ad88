import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findMixedFile } from './backup-mark.js';
import { prepareFile, prepareFolder } from './database.js';
import { FolderRefused, type Refusal } from './refused.js';
import { ID_TABLE, idIn, inspectFile, STORE_FILES, type FileState } from './store-files.js';

/**
 * A file with the store's id, which exists until all databases contain the id. After a crash, the next start writes the id to
 * the databases that lack it.
 */
export const PENDING_ID_FILE = 'store-id.json';
/** Suffix of a file that a backup or restore has not finished. */
export const UNFINISHED = '.part';

/** An id that is not yet in all files, and whether the store is new. */
type PendingStoreId = { readonly id: string; readonly isNew: boolean };

/** What the files of a folder show about the store's id. */
type StoreIdState =
  | { readonly kind: 'known'; readonly id: string }
  /** The folder has no store yet. */
  | { readonly kind: 'new' }
  /** The files are of an earlier release and have no ids. */
  | { readonly kind: 'without_id' }
  | { readonly kind: 'pending'; readonly pending: PendingStoreId };

/** The remedy for files that do not belong together. */
const REMEDY = {
  store:
    'Restore the whole folder from a backup: move the remaining files elsewhere, then run "petstore restore BACKUP" into the empty folder. ' +
    'All files of a store belong together; do not replace only some of them.',
  backup: 'Choose another backup, or make a new one: all files of a backup belong together.',
} as const;
/** Whether a folder contains a live store or a backup. */
type FolderKind = keyof typeof REMEDY;

/**
 * Reads the id of the store in a folder, without locking or changing the folder. Returns null for files of an earlier
 * release. Throws FolderRefused when there is no store, or its files do not belong together.
 */
export const storeIdOf = (folder: string, what: FolderKind = 'store'): string | null => {
  const state = inspectFolder(folder, what);
  if (state.kind === 'known') return state.id;
  if (state.kind === 'without_id') return null;
  if (state.kind === 'new')
    throw new FolderRefused('not_a_store', `there is no ${what} in ${folder}${what === 'store' ? ': "petstore start" creates one' : ''}`);
  throw new FolderRefused('not_a_store', `the store in ${folder} is not complete yet: "petstore start" completes it`);
};

/**
 * Returns the id of the store in a folder that this process has locked. Creates an id in an empty folder. Creates an id for
 * files of an earlier release, too, if `areKeysOfLog` confirms that the keys belong to the log. Rejects with FolderRefused if
 * the files are damaged, incomplete or of different stores.
 */
export const ensureStoreId = async (folder: string, areKeysOfLog: () => Promise<boolean>): Promise<string> => {
  const state = inspectFolder(folder, 'store');
  if (state.kind === 'known') return state.id;
  if (state.kind === 'without_id' && !(await areKeysOfLog()))
    throw folderRefused('foreign', folder, ['keys.sqlite does not decrypt the data in petstore.sqlite: it belongs to another store']);
  const pending = state.kind === 'pending' ? state.pending : { id: randomUUID(), isNew: state.kind === 'new' };
  // Runs all steps of the generator.
  Array.from(writeStoreId(folder, pending));
  return pending.id;
};

/**
 * Writes the store's id to all files, one durable step at a time. PENDING_ID_FILE is written first and removed
 * last, so that the next start after a crash completes the steps. The function is a generator, so that tests can stop after
 * each step.
 */
export function* writeStoreId(folder: string, pending: PendingStoreId): Generator<string> {
  writePendingId(folder, pending);
  yield PENDING_ID_FILE;
  for (const file of STORE_FILES) {
    writeIdToFile(folder, file, pending);
    yield file;
  }
  syncFolder(folder);
  rmSync(join(folder, PENDING_ID_FILE));
  syncFolder(folder);
  yield 'complete';
}

const inspectFolder = (folder: string, what: FolderKind): StoreIdState => {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new FolderRefused('not_a_store', `${folder} is a file and no ${what}`);
  assertNoUnfinishedCopy(folder);
  assertNotMixed(folder, what);
  const pending = readPendingId(folder);
  const states = STORE_FILES.map((file) => ({ file, state: inspectFile(folder, file) }));
  const unsound = states.flatMap(({ file, state }) => problemOf(file, state, pending));
  if (!pending && states.every(({ state }) => state.kind === 'absent')) return { kind: 'new' };
  const refusal = states.some(({ state }) => state.kind === 'unusable') ? 'damaged' : 'incomplete';
  if (unsound.length > 0) throw folderRefused(refusal, folder, unsound, what);
  const ids = states.map(({ file, state }) => ({ file, id: state.kind === 'sound' ? state.id : null }));
  if (pending) return checkPendingId(folder, pending, ids);
  const [first] = ids;
  if (!first || ids.some(({ id }) => id !== first.id)) throw folderRefused('foreign', folder, describeIds(ids), what);
  return first.id === null ? { kind: 'without_id' } : { kind: 'known', id: first.id };
};

type FileId = { readonly file: string; readonly id: string | null };

/** Throws FolderRefused if a file has another id than the pending id. A file without an id gets the pending id later. */
const checkPendingId = (folder: string, pending: PendingStoreId, ids: readonly FileId[]): StoreIdState => {
  const others = ids.filter(({ id }) => id !== null && id !== pending.id);
  if (others.length > 0) throw folderRefused('foreign', folder, describeIds([...others, { file: PENDING_ID_FILE, id: pending.id }]));
  return { kind: 'pending', pending };
};

/** Describes what is wrong with a file. While a new store is created, a file may be missing or empty. */
const problemOf = (file: string, state: FileState, pending: PendingStoreId | null): readonly string[] => {
  if (state.kind === 'sound') return [];
  if (state.kind === 'unusable') return [`${file} cannot be used: ${state.reason}`];
  if (pending?.isNew) return [];
  return [`${file} is ${state.kind === 'empty' ? 'empty' : 'missing'}`];
};

const describeIds = (ids: readonly FileId[]): readonly string[] => [
  `its files belong to different stores: ${ids.map(({ file, id }) => `${file} has ${id === null ? 'no store id' : `the store id ${id}`}`).join(', ')}`,
];

/** Creates the error for a folder, with every problem in `wrong` and the remedy. */
export const folderRefused = (refusal: Refusal, folder: string, wrong: readonly string[], what: FolderKind = 'store'): FolderRefused =>
  new FolderRefused(refusal, `the ${what} in ${folder} cannot be used: ${wrong.join('; ')}.\n${REMEDY[what]}`);

/** Throws if an interrupted backup or restore has left unfinished files, because other files may be missing. */
const assertNoUnfinishedCopy = (folder: string): void => {
  const part = existsSync(folder) && readdirSync(folder).find((name) => STORE_FILES.some((file) => name === file + UNFINISHED));
  if (part)
    throw new FolderRefused(
      'incomplete',
      `a backup or a restore into ${folder} did not finish (${part} remains): empty the folder and back up or restore again`,
    );
};

const assertNotMixed = (folder: string, what: FolderKind): void => {
  const file = findMixedFile(folder);
  if (file !== null)
    throw folderRefused(
      'damaged',
      folder,
      [`${file} was copied from a backup, but ${file}-wal belongs to the file that it replaced`],
      what,
    );
};

const readPendingId = (folder: string): PendingStoreId | null => {
  const path = join(folder, PENDING_ID_FILE);
  if (!existsSync(path)) return null;
  try {
    const { id, isNew } = JSON.parse(readFileSync(path, 'utf8')) as PendingStoreId;
    if (typeof id === 'string' && typeof isNew === 'boolean') return { id, isNew };
  } catch {
    // The service writes this file atomically, so another program wrote the invalid JSON.
  }
  throw folderRefused('damaged', folder, [`${PENDING_ID_FILE} cannot be read`]);
};

const writePendingId = (folder: string, pending: PendingStoreId): void => {
  prepareFolder(folder);
  const path = join(folder, PENDING_ID_FILE);
  writeFileSync(`${path}.new`, JSON.stringify(pending), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
};

/**
 * Writes the id to the file itself, not only to a -wal file. A new file is not in WAL mode yet. An existing file in WAL mode
 * is checkpointed when the connection closes.
 */
const writeIdToFile = (folder: string, file: string, { id }: PendingStoreId): void => {
  const connection = new DatabaseSync(prepareFile(folder, file), { timeout: 5_000 });
  try {
    connection.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    connection.exec(`CREATE TABLE IF NOT EXISTS ${ID_TABLE} (id TEXT NOT NULL) STRICT`);
    if (idIn(connection) === null) connection.prepare(`INSERT INTO ${ID_TABLE} (id) VALUES (?)`).run(id);
    connection.exec('COMMIT');
  } finally {
    connection.close();
  }
};

/** Makes the created, renamed and removed files of a folder durable. */
const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
