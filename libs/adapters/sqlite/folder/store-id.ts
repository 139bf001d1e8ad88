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
import { prepareFile, prepareFolder } from './database.js';
import { FolderRefused, type Refusal } from './refused.js';
import { ID_TABLE, idIn, inspectFile, STORE_FILES, type FileState } from './store-files.js';

/**
 * Exists in the folder while its files are given their id. The next process that opens the folder completes
 * that.
 */
export const NAMING_FILE = 'store-id.json';
/** Suffix of a file that a backup or restore has not finished. */
export const UNFINISHED = '.part';

/** The id to give to the files, and whether the store is new. */
type Naming = { readonly id: string; readonly isNew: boolean };

/** The result of inspecting a folder's ids. */
type Verdict =
  | { readonly kind: 'known'; readonly id: string }
  /** The folder has no store yet. */
  | { readonly kind: 'new' }
  /** Files of an older release without ids. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'begun'; readonly naming: Naming };

/** What to do about files that do not belong together. */
const REMEDY = {
  store:
    'Restore the whole folder from a backup: move what is left elsewhere, then run "petstore restore BACKUP" into the empty folder. ' +
    'All files of a store belong together; do not replace a single one.',
  backup: 'Choose another backup, or make a new one: all files of a backup belong together.',
} as const;
/** Whether a folder contains a live store or a backup. */
type FolderKind = keyof typeof REMEDY;

/**
 * Returns the id of the store in a folder without a lock and without changes; null for files of an older
 * release. Throws FolderRefused when there is no store, or its files do not belong together.
 */
export const storeIdOf = (folder: string, what: FolderKind = 'store'): string | null => {
  const verdict = inspectFolder(folder, what);
  if (verdict.kind === 'known') return verdict.id;
  if (verdict.kind === 'unnamed') return null;
  if (verdict.kind === 'new')
    throw new FolderRefused('not_a_store', `there is no ${what} in ${folder}${what === 'store' ? ': "petstore start" makes one' : ''}`);
  throw new FolderRefused('not_a_store', `the store in ${folder} is not complete yet: "petstore start" completes it`);
};

/**
 * Returns the id of the store in a folder that this process has locked. An empty folder gets a new id. Files
 * of an older release get one if `areKeysOfLog` confirms that the keys belong to the log. Rejects with
 * FolderRefused like storeIdOf.
 */
export const nameStore = async (folder: string, areKeysOfLog: () => Promise<boolean>): Promise<string> => {
  const verdict = inspectFolder(folder, 'store');
  if (verdict.kind === 'known') return verdict.id;
  if (verdict.kind === 'unnamed' && !(await areKeysOfLog()))
    throw folderRefused('foreign', folder, ['keys.sqlite does not decrypt the data in petstore.sqlite: it belongs to another store']);
  const naming = verdict.kind === 'begun' ? verdict.naming : { id: randomUUID(), isNew: verdict.kind === 'new' };
  Array.from(namingSteps(folder, naming));
  return naming.id;
};

/**
 * Gives a folder's files their id, one durable step at a time. The note is written first and removed last, so
 * a folder is completed by the next start after a crash. Nothing is served before the last step.
 */
export function* namingSteps(folder: string, naming: Naming): Generator<string> {
  writeNote(folder, naming);
  yield NAMING_FILE;
  for (const file of STORE_FILES) {
    giveId(folder, file, naming);
    yield file;
  }
  syncFolder(folder);
  rmSync(join(folder, NAMING_FILE));
  syncFolder(folder);
  yield 'complete';
}

const inspectFolder = (folder: string, what: FolderKind): Verdict => {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new FolderRefused('not_a_store', `${folder} is a file and no ${what}`);
  assertFinished(folder);
  const naming = readNote(folder);
  const states = STORE_FILES.map((file) => ({ file, state: inspectFile(folder, file) }));
  const unsound = states.flatMap(({ file, state }) => problemOf(file, state, naming));
  if (!naming && states.every(({ state }) => state.kind === 'absent')) return { kind: 'new' };
  const refusal = states.some(({ state }) => state.kind === 'unusable') ? 'damaged' : 'incomplete';
  if (unsound.length > 0) throw folderRefused(refusal, folder, unsound, what);
  const ids = states.map(({ file, state }) => ({ file, id: state.kind === 'sound' ? state.id : null }));
  if (naming) return resumeNaming(folder, naming, ids);
  const [first] = ids;
  if (!first || ids.some(({ id }) => id !== first.id)) throw folderRefused('foreign', folder, describeIds(ids), what);
  return first.id === null ? { kind: 'unnamed' } : { kind: 'known', id: first.id };
};

type FileId = { readonly file: string; readonly id: string | null };

const resumeNaming = (folder: string, naming: Naming, ids: readonly FileId[]): Verdict => {
  const others = ids.filter(({ id }) => id !== null && id !== naming.id);
  if (others.length > 0) throw folderRefused('foreign', folder, describeIds([...others, { file: NAMING_FILE, id: naming.id }]));
  return { kind: 'begun', naming };
};

/** Describes what is wrong with a file. In a new store a file may be missing or empty. */
const problemOf = (file: string, state: FileState, naming: Naming | null): readonly string[] => {
  if (state.kind === 'sound') return [];
  if (state.kind === 'unusable') return [`${file} cannot be used: ${state.reason}`];
  if (naming?.isNew) return [];
  return [`${file} is ${state.kind === 'empty' ? 'empty' : 'missing'}`];
};

const describeIds = (ids: readonly FileId[]): readonly string[] => [
  `its files belong to different stores: ${ids.map(({ file, id }) => `${file} carries ${id === null ? 'no store id' : `the store id ${id}`}`).join(', ')}`,
];

/** Creates the error for a folder: everything that is wrong, and what to do. */
export const folderRefused = (refusal: Refusal, folder: string, wrong: readonly string[], what: FolderKind = 'store'): FolderRefused =>
  new FolderRefused(refusal, `the ${what} in ${folder} cannot be used: ${wrong.join('; ')}.\n${REMEDY[what]}`);

/**
 * An interrupted backup or restore leaves files with this suffix. Then the other files are incomplete, too.
 */
const assertFinished = (folder: string): void => {
  const part = existsSync(folder) && readdirSync(folder).find((name) => STORE_FILES.some((file) => name === file + UNFINISHED));
  if (part)
    throw new FolderRefused(
      'incomplete',
      `a backup or a restore into ${folder} did not finish (${part} remains): empty the folder and back up or restore again`,
    );
};

const readNote = (folder: string): Naming | null => {
  const path = join(folder, NAMING_FILE);
  if (!existsSync(path)) return null;
  try {
    const { id, isNew } = JSON.parse(readFileSync(path, 'utf8')) as Naming;
    if (typeof id === 'string' && typeof isNew === 'boolean') return { id, isNew };
  } catch {
    // The note is written atomically, so this one is not ours.
  }
  throw folderRefused('damaged', folder, [`${NAMING_FILE} cannot be read`]);
};

const writeNote = (folder: string, naming: Naming): void => {
  prepareFolder(folder);
  const path = join(folder, NAMING_FILE);
  writeFileSync(`${path}.new`, JSON.stringify(naming), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
};

/** Uses one transaction with a rollback journal, which leaves everything in the file itself. */
const giveId = (folder: string, file: string, { id }: Naming): void => {
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

/** Makes the folder's list of files durable. */
const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
