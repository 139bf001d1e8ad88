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
import { ownFile, ownFolder } from './database.js';
import { FolderRefused, type Refusal } from './refused.js';
import { ID_TABLE, idIn, lookAt, STORE_FILES, type FileState } from './store-files.js';

/** Stands in the folder while its files are given their id: the next process that opens the folder completes that. */
export const UNNAMED_FILE = 'store-id.json';
/** How a backup or a restore names what it has not finished copying. */
export const UNFINISHED = '.part';

/** The id that files are to get, and whether they are made for it. */
type Naming = { readonly id: string; readonly isNew: boolean };

/** What is to be done about a folder's id. */
type Verdict =
  | { readonly kind: 'known'; readonly id: string }
  /** Nothing is there yet. */
  | { readonly kind: 'new' }
  /** Files of an older release, which gave no ids. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'begun'; readonly naming: Naming };

/** What to do about files that do not belong together. */
const REMEDY = {
  store:
    'Restore the whole folder from a backup: move what is left elsewhere, then run "petstore restore BACKUP" into the empty folder. ' +
    'All files of a store belong together; do not replace a single one.',
  backup: 'Choose another backup, or make a new one: all files of a backup belong together.',
} as const;
/** Whether a folder is where a store works or what was copied from it. */
type What = keyof typeof REMEDY;

/**
 * The id of the store in a folder, read without a lock and without changing anything; null where its files were written
 * before files carried ids. Throws FolderRefused when there is no store, or its files do not belong together.
 */
export const storeIdOf = (folder: string, what: What = 'store'): string | null => {
  const verdict = verdictOn(folder, what);
  if (verdict.kind === 'known') return verdict.id;
  if (verdict.kind === 'unnamed') return null;
  if (verdict.kind === 'new')
    throw new FolderRefused('not_a_store', `there is no ${what} in ${folder}${what === 'store' ? ': "petstore start" makes one' : ''}`);
  throw new FolderRefused('not_a_store', `the store in ${folder} is not complete yet: "petstore start" completes it`);
};

/**
 * The id of the store in a folder that this process has locked. An empty folder gets a new id; files of an older release
 * get one once `areKeysOfLog` has found that the keys and the log belong together. Rejects with FolderRefused like storeIdOf.
 */
export const nameStore = async (folder: string, areKeysOfLog: () => Promise<boolean>): Promise<string> => {
  const verdict = verdictOn(folder, 'store');
  if (verdict.kind === 'known') return verdict.id;
  if (verdict.kind === 'unnamed' && !(await areKeysOfLog()))
    throw refused('foreign', folder, ['keys.sqlite does not open what petstore.sqlite has sealed: it belongs to another store']);
  const naming = verdict.kind === 'begun' ? verdict.naming : { id: randomUUID(), isNew: verdict.kind === 'new' };
  Array.from(namingSteps(folder, naming));
  return naming.id;
};

/**
 * Gives a folder's files their id, one durable step at a time. The note comes first and goes last, so a process that dies
 * in between leaves a folder that is completed the next time; and nothing is served before the last step.
 */
export function* namingSteps(folder: string, naming: Naming): Generator<string> {
  writeNote(folder, naming);
  yield UNNAMED_FILE;
  for (const file of STORE_FILES) {
    giveId(folder, file, naming);
    yield file;
  }
  syncFolder(folder);
  rmSync(join(folder, UNNAMED_FILE));
  syncFolder(folder);
  yield 'complete';
}

const verdictOn = (folder: string, what: What): Verdict => {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new FolderRefused('not_a_store', `${folder} is a file and no ${what}`);
  refuseUnfinished(folder);
  const naming = readNote(folder);
  const states = STORE_FILES.map((file) => ({ file, state: lookAt(folder, file) }));
  const unsound = states.flatMap(({ file, state }) => complaint(file, state, naming));
  if (!naming && states.every(({ state }) => state.kind === 'absent')) return { kind: 'new' };
  const refusal = states.some(({ state }) => state.kind === 'unusable') ? 'damaged' : 'incomplete';
  if (unsound.length > 0) throw refused(refusal, folder, unsound, what);
  const ids = states.map(({ file, state }) => ({ file, id: state.kind === 'sound' ? state.id : null }));
  if (naming) return begun(folder, naming, ids);
  const [first] = ids;
  if (!first || ids.some(({ id }) => id !== first.id)) throw refused('foreign', folder, foreign(ids), what);
  return first.id === null ? { kind: 'unnamed' } : { kind: 'known', id: first.id };
};

type FileId = { readonly file: string; readonly id: string | null };

const begun = (folder: string, naming: Naming, ids: readonly FileId[]): Verdict => {
  const others = ids.filter(({ id }) => id !== null && id !== naming.id);
  if (others.length > 0) throw refused('foreign', folder, foreign([...others, { file: UNNAMED_FILE, id: naming.id }]));
  return { kind: 'begun', naming };
};

/** What is wrong with a file; a file that is just being made may be missing or empty. */
const complaint = (file: string, state: FileState, naming: Naming | null): readonly string[] => {
  if (state.kind === 'sound') return [];
  if (state.kind === 'unusable') return [`${file} cannot be used: ${state.reason}`];
  if (naming?.isNew) return [];
  return [`${file} is ${state.kind === 'empty' ? 'empty' : 'missing'}`];
};

const foreign = (ids: readonly FileId[]): readonly string[] => [
  `its files are not of one store: ${ids.map(({ file, id }) => `${file} carries ${id === null ? 'no store id' : `the store id ${id}`}`).join(', ')}`,
];

/** The refusal of a folder, with each thing that is wrong and what to do. */
export const refused = (refusal: Refusal, folder: string, wrong: readonly string[], what: What = 'store'): FolderRefused =>
  new FolderRefused(refusal, `the ${what} in ${folder} cannot be used: ${wrong.join('; ')}.\n${REMEDY[what]}`);

/** A backup or a restore that died leaves files of that name: what is there besides is only a part. */
const refuseUnfinished = (folder: string): void => {
  const part = existsSync(folder) && readdirSync(folder).find((name) => STORE_FILES.some((file) => name === file + UNFINISHED));
  if (part)
    throw new FolderRefused(
      'incomplete',
      `a backup or a restore into ${folder} did not finish (${part} is left): empty the folder and back up or restore again`,
    );
};

const readNote = (folder: string): Naming | null => {
  const path = join(folder, UNNAMED_FILE);
  if (!existsSync(path)) return null;
  try {
    const { id, isNew } = JSON.parse(readFileSync(path, 'utf8')) as Naming;
    if (typeof id === 'string' && typeof isNew === 'boolean') return { id, isNew };
  } catch {
    // It is written as a whole, so this is somebody else's.
  }
  throw refused('damaged', folder, [`${UNNAMED_FILE} cannot be read`]);
};

const writeNote = (folder: string, naming: Naming): void => {
  ownFolder(folder);
  const path = join(folder, UNNAMED_FILE);
  writeFileSync(`${path}.new`, JSON.stringify(naming), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
};

/** One transaction on a rollback journal, which leaves all of it in the file itself. */
const giveId = (folder: string, file: string, { id }: Naming): void => {
  const connection = new DatabaseSync(ownFile(folder, file), { timeout: 5_000 });
  try {
    connection.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    connection.exec(`CREATE TABLE IF NOT EXISTS ${ID_TABLE} (id TEXT NOT NULL) STRICT`);
    if (idIn(connection) === null) connection.prepare(`INSERT INTO ${ID_TABLE} (id) VALUES (?)`).run(id);
    connection.exec('COMMIT');
  } finally {
    connection.close();
  }
};

/** Makes durable which files there are. */
const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
