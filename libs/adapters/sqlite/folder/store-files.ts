import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { KEYS_FILE, LEDGER_FILE, STORE_FILE } from './database.js';

/** The files of a store. Each contains the store's id, so that a lost or exchanged file is detected. */
export const STORE_FILES: readonly string[] = [STORE_FILE, KEYS_FILE, LEDGER_FILE];

/** The table with the id of the store, one row in each file. */
export const ID_TABLE = 'store_identity';

/** Suffixes of files that SQLite creates beside a database. One of them proves that the database existed. */
const SUFFIXES = ['', '-wal', '-journal'];
/** Longer than SQLite's recovery of a file after a kill. */
const LOCK_TIMEOUT_MILLISECONDS = 5_000;

/** The state of a file before any write. `id` is null in a file without an id. */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'sound'; readonly id: string | null };

/** Inspects a file without changing it. `missing`: traces of it exist; `absent`: no trace. */
export const inspectFile = (folder: string, file: string): FileState => {
  const path = join(folder, file);
  if (!existsSync(path)) return { kind: SUFFIXES.some((ending) => existsSync(path + ending)) ? 'missing' : 'absent' };
  const stats = statSync(path);
  if (!stats.isFile()) return { kind: 'unusable', reason: `it is ${stats.isDirectory() ? 'a folder' : 'not a file'}` };
  if (stats.size === 0) return { kind: 'empty' };
  try {
    return { kind: 'sound', id: readWith(path, idIn) };
  } catch (error) {
    return { kind: 'unusable', reason: reasonOf(error) };
  }
};

/**
 * Returns a description of damage in a file, or null. The structure of a file larger than `mostBytes` is not
 * checked, because that reads the whole file.
 */
export const damageOf = (folder: string, file: string, maxBytes = Infinity): string | null => {
  const path = join(folder, file);
  try {
    const isChecked = statSync(path).size <= maxBytes;
    return readWith(path, (connection) => {
      const verdict = isChecked ? connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] : 'ok';
      if (verdict !== 'ok') return String(verdict).replaceAll('\n', ' ');
      // Includes an unfinished copy.
      return file.startsWith(KEYS_FILE) ? findAlteredKey(connection) : null;
    });
  } catch (error) {
    return reasonOf(error);
  }
};

/**
 * The stored digest of a service key, which verifies it. Keys are random, so the digest reveals nothing about
 * them.
 */
export const digestOf = (key: Uint8Array): Uint8Array => createHash('sha256').update(key).digest();

const HAS_DIGESTS = "SELECT 1 FROM pragma_table_info('service_keys') WHERE name = 'digest'";

/** A changed service key would change ids, tokens and signatures, and nothing else would reveal it. */
const findAlteredKey = (connection: DatabaseSync): string | null => {
  if (!connection.prepare(HAS_DIGESTS).get()) return null;
  const rows = connection.prepare('SELECT name, key, digest FROM service_keys WHERE digest IS NOT NULL').all();
  const altered = rows.find(({ key, digest }) => Buffer.compare(digestOf(key as Uint8Array), digest as Uint8Array) !== 0);
  return altered ? `the service key ${String(altered['name'])} has been altered` : null;
};

/** Returns the id in an open file, or null. */
export const idIn = (connection: DatabaseSync): string | null => {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(ID_TABLE);
  const id = table && connection.prepare(`SELECT id FROM ${ID_TABLE}`).get()?.['id'];
  return typeof id === 'string' ? id : null;
};

/** Reads a file on a separate connection. */
export const readWith = <T>(path: string, work: (connection: DatabaseSync) => T): T => {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MILLISECONDS });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};
