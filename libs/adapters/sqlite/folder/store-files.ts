import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { KEYS_FILE, LEDGER_FILE, STORE_FILE } from './file-names.js';

/** The files of a store. Each contains the store's id, so that a file of another store is detected. */
export const STORE_FILES: readonly string[] = [STORE_FILE, KEYS_FILE, LEDGER_FILE];

/** The table that each file has for the id of its store. It has one row. */
export const ID_TABLE = 'store_identity';

/** Suffixes of a database file and of the files that SQLite creates beside it. */
const SUFFIXES = ['', '-wal', '-journal'];
/** How long a read waits for a lock: longer than SQLite locks a file to recover it after a crash. */
const LOCK_TIMEOUT_MILLISECONDS = 5_000;

/**
 * The state of a file. A `missing` file existed earlier: its -wal or -journal file still exists. The `id` of a `sound` file
 * is null if the file contains no store id.
 */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'sound'; readonly id: string | null };

/** Each start checks the structure of files up to this size (64 MiB). The check takes 2 ms per MiB, too long for larger files. */
export const CHECKED_AT_START = 67_108_864;

export const isLargerThan = (folder: string, file: string, bytes: number): boolean =>
  (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0) > bytes;

/** Inspects a file without changing it. */
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
 * Returns a description of the damage in a file, or null if no damage is found. The structure of a file larger than
 * `maxBytes` is not checked, because the check reads the whole file.
 */
export const findDamage = (folder: string, file: string, maxBytes = Infinity): string | null => {
  const path = join(folder, file);
  try {
    const isChecked = statSync(path).size <= maxBytes;
    return readWith(path, (connection) => {
      const result = isChecked ? connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] : 'ok';
      if (result !== 'ok') return String(result).replaceAll('\n', ' ');
      // `startsWith` includes an unfinished copy, `keys.sqlite.part`.
      return file.startsWith(KEYS_FILE) ? findAlteredKey(connection) : null;
    });
  } catch (error) {
    return reasonOf(error);
  }
};

/**
 * Returns the digest of a service key. The digest is stored, to detect a changed key. Keys are random, so their digest does
 * not reveal them.
 */
export const digestOf = (key: Uint8Array): Uint8Array => createHash('sha256').update(key).digest();

const HAS_DIGESTS = "SELECT 1 FROM pragma_table_info('service_keys') WHERE name = 'digest'";

/**
 * Describes a service key that was changed, or returns null. A changed key would silently change ids, tokens and
 * signatures.
 */
const findAlteredKey = (connection: DatabaseSync): string | null => {
  if (!connection.prepare(HAS_DIGESTS).get()) return null;
  const rows = connection.prepare('SELECT name, key, digest FROM service_keys WHERE digest IS NOT NULL').all();
  const altered = rows.find(({ key, digest }) => Buffer.compare(digestOf(key as Uint8Array), digest as Uint8Array) !== 0);
  return altered ? `the service key ${String(altered['name'])} has been altered` : null;
};

/** Returns the store id in an open file, or null. */
export const idIn = (connection: DatabaseSync): string | null => {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(ID_TABLE);
  const id = table && connection.prepare(`SELECT id FROM ${ID_TABLE}`).get()?.['id'];
  return typeof id === 'string' ? id : null;
};

/** Runs `work` on a separate read-only connection to a file. */
export const readWith = <T>(path: string, work: (connection: DatabaseSync) => T): T => {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MILLISECONDS });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};
