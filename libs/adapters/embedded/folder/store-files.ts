import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../failures.js';
import { KEYS_FILE, LEDGER_FILE, STORE_FILE } from './database.js';

/** The files of a store. Each carries the store's id, so that none can be lost or exchanged unnoticed. */
export const STORE_FILES: readonly string[] = [STORE_FILE, KEYS_FILE, LEDGER_FILE];

/** The table with one row that each file has: the id of the store it belongs to. */
export const ID_TABLE = 'store_identity';

/** What SQLite keeps beside a file: where one is left, the file was there. */
const BESIDE = ['', '-wal', '-journal'];
/** Longer than SQLite takes to recover a file after a kill. */
const WAITING_MILLISECONDS = 5_000;

/** What is seen of a file before anything is written. `id` is null where the file carries none. */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'sound'; readonly id: string | null };

/** The state of one file; `missing` is one of which traces are left, `absent` one without any. Changes nothing. */
export const lookAt = (folder: string, file: string): FileState => {
  const path = join(folder, file);
  if (!existsSync(path)) return { kind: BESIDE.some((ending) => existsSync(path + ending)) ? 'missing' : 'absent' };
  const stats = statSync(path);
  if (!stats.isFile()) return { kind: 'unusable', reason: `it is ${stats.isDirectory() ? 'a folder' : 'no file'}` };
  if (stats.size === 0) return { kind: 'empty' };
  try {
    return { kind: 'sound', id: reading(path, idIn) };
  } catch (error) {
    return { kind: 'unusable', reason: reasonOf(error) };
  }
};

/** What is wrong with the structure of a file, in SQLite's words; null when it is sound. Reads all of it. */
export const damageOf = (folder: string, file: string): string | null => {
  try {
    const verdict = reading(join(folder, file), (connection) => connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
    return verdict === 'ok' ? null : String(verdict).replaceAll('\n', ' ');
  } catch (error) {
    return reasonOf(error);
  }
};

/** The id in an open file; null where there is none. */
export const idIn = (connection: DatabaseSync): string | null => {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(ID_TABLE);
  const id = table && connection.prepare(`SELECT id FROM ${ID_TABLE}`).get()?.['id'];
  return typeof id === 'string' ? id : null;
};

/** Reads a file on a connection of its own. */
export const reading = <T>(path: string, work: (connection: DatabaseSync) => T): T => {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: WAITING_MILLISECONDS });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};
