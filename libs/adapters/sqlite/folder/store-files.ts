import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
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

/**
 * What is wrong with what a file holds; null when nothing is seen. The structure of a file larger than `mostBytes` is not
 * looked at: that reads all of it.
 */
export const damageOf = (folder: string, file: string, mostBytes = Infinity): string | null => {
  const path = join(folder, file);
  try {
    const isChecked = statSync(path).size <= mostBytes;
    return reading(path, (connection) => {
      const verdict = isChecked ? connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] : 'ok';
      if (verdict !== 'ok') return String(verdict).replaceAll('\n', ' ');
      // Also those of an unfinished copy.
      return file.startsWith(KEYS_FILE) ? alteredKeyIn(connection) : null;
    });
  } catch (error) {
    return reasonOf(error);
  }
};

/** What is kept beside a service key, to tell whether it is what it was. Keys are random, so it tells nothing about them. */
export const digestOf = (key: Uint8Array): Uint8Array => createHash('sha256').update(key).digest();

const HAS_DIGESTS = "SELECT 1 FROM pragma_table_info('service_keys') WHERE name = 'digest'";

/** With another service key there would be other ids, tokens and signatures, and nothing else would show it. */
const alteredKeyIn = (connection: DatabaseSync): string | null => {
  if (!connection.prepare(HAS_DIGESTS).get()) return null;
  const rows = connection.prepare('SELECT name, key, digest FROM service_keys WHERE digest IS NOT NULL').all();
  const altered = rows.find(({ key, digest }) => Buffer.compare(digestOf(key as Uint8Array), digest as Uint8Array) !== 0);
  return altered ? `the service key ${String(altered['name'])} is not what it was` : null;
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
