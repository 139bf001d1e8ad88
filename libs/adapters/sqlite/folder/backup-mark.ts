import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { STORE_FILES } from './store-files.js';

/** SQLite's application id of a file of a backup: `petb` in ASCII. A file of a store has the id 0. */
const BACKUP = 0x70657462;
/** Where the header of a SQLite file has the application id, in four bytes (SQLite's file format, 1.3). */
const ID_OFFSET = 68;

/** Makes a copy a single file, which can be read from a read-only disk. `isBackup` marks it as a file of a backup. */
export const completeCopy = (path: string, isBackup: boolean): void => {
  const copy = new DatabaseSync(path);
  try {
    copy.exec(`PRAGMA journal_mode = DELETE; PRAGMA application_id = ${isBackup ? BACKUP : 0}`);
  } finally {
    copy.close();
  }
};

const isOfBackup = (path: string): boolean => {
  if (!existsSync(path)) return false;
  const id = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    return readSync(file, id, 0, id.length, ID_OFFSET) === id.length && id.readUInt32BE() === BACKUP;
  } finally {
    closeSync(file);
  }
};

/**
 * Returns the file of a backup beside which another file has a -wal file, or null. The file was copied over the store, and SQLite would
 * add what the store had not yet moved out of its -wal file. It reads only the header, because SQLite would read the -wal file, too.
 */
export const findMixedFile = (folder: string): string | null =>
  STORE_FILES.find(
    (file) => (statSync(join(folder, `${file}-wal`), { throwIfNoEntry: false })?.size ?? 0) > 0 && isOfBackup(join(folder, file)),
  ) ?? null;

/** Removes the mark of a backup, before a store writes to the files. */
export const removeMarks = (folder: string): void => {
  for (const path of STORE_FILES.map((file) => join(folder, file))) if (isOfBackup(path)) completeCopy(path, false);
};
