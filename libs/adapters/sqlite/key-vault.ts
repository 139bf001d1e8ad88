import { randomBytes } from 'node:crypto';
import type { KeyCopy, KeyLookup, KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isSqliteFailure, isStorageFailure, runAsPromise, toStoreUnavailable } from './failures.js';
import { IN_MEMORY, KEYS_FILE, openDatabase, type Database } from './folder/database.js';
import { KEY_MIGRATIONS, migrate } from './folder/migrations.js';
import type { FolderRefused } from './folder/refused.js';
import { digestOf } from './folder/store-files.js';
import { folderRefused } from './folder/store-id.js';

const KEY_BYTES = 32;
/** Maximum number of cached keys. Beyond it the cache is cleared. */
const MAX_CACHED = 10_000;

type Table = 'service_keys' | 'personal_keys';
type Key = Uint8Array | null;
type KeyRequest = {
  readonly table: Table;
  readonly name: string;
  readonly resolve: (key: Key) => void;
  readonly reject: (error: Error) => void;
};

/** A key vault with an open file. */
export type OpenKeyVault = KeyVault &
  KeyLookup & {
    /** Returns all keys, so that they can be copied to another vault. */
    all(): readonly KeyCopy[];
    close(): void;
  };

/** Opens the keys of a folder, even while another process uses it. `:memory:` keeps keys only in memory. */
export const openKeyVault = async (directory: string): Promise<OpenKeyVault> => {
  const database = openDatabase(directory, KEYS_FILE);
  try {
    migrate(database, KEY_MIGRATIONS);
    addDigests(database);
    return new SqliteKeyVault(database, directory !== IN_MEMORY);
  } catch (error) {
    database.close();
    throw isSqliteFailure(error) && !isStorageFailure(error) ? unexpectedTables(directory, error) : error;
  }
};

/** Creates the error for a file with unexpected tables. */
const unexpectedTables = (directory: string, error: unknown): FolderRefused =>
  folderRefused('damaged', directory, [`${KEYS_FILE} has unexpected tables: ${reasonOf(error)}`]);

/** Adds a digest to keys that were created before keys had digests. */
const addDigests = (database: Database): void => {
  for (const { name, key } of database.statement('SELECT name, key FROM service_keys WHERE digest IS NULL').all())
    database.statement('UPDATE service_keys SET digest = ? WHERE name = ?').run(digestOf(key as Uint8Array), name as string);
};

class SqliteKeyVault implements OpenKeyVault {
  private readonly cache = new Map<string, Uint8Array>();
  private requests: KeyRequest[] = [];

  constructor(
    private readonly database: Database,
    private readonly onDisk: boolean,
  ) {}

  async serviceKey(name: string): Promise<Uint8Array> {
    const key = await this.key('service_keys', name);
    if (!key) throw new Error(`the service key ${name} is missing, although service keys are never destroyed`);
    return key;
  }

  personalKey(subject: string): Promise<Key> {
    return this.key('personal_keys', subject);
  }

  destroyPersonalKey(subject: string): Promise<void> {
    return runAsPromise(() => {
      // A row without a key marks a destroyed key. It also keeps a subject from getting a first key later.
      const sql = 'INSERT INTO personal_keys (name, key) VALUES (?, NULL) ON CONFLICT (name) DO UPDATE SET key = NULL';
      this.database.transaction(() => this.database.statement(sql).run(subject));
      this.cache.delete(cacheKeyOf('personal_keys', subject));
      // The checkpoint overwrites the key in the database file, and truncates the write-ahead log, which has a copy.
      if (this.onDisk) this.database.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  lookUp(kind: KeyCopy['kind'], name: string): Promise<Key | undefined> {
    return runAsPromise(() => this.read(kind === 'service' ? 'service_keys' : 'personal_keys', name));
  }

  all(): readonly KeyCopy[] {
    const keysIn = (table: Table, kind: KeyCopy['kind']): readonly KeyCopy[] =>
      this.database
        .statement(`SELECT name, key FROM ${table} ORDER BY name`)
        .all()
        .map(({ name, key }) => ({ kind, name: String(name), key: key as Key }));
    return [...keysIn('service_keys', 'service'), ...keysIn('personal_keys', 'personal')];
  }

  close(): void {
    this.createRequestedKeys();
    this.database.close();
  }

  private key(table: Table, name: string): Promise<Key> {
    const known = this.cache.get(cacheKeyOf(table, name));
    if (known) return Promise.resolve(known);
    return runAsPromise(() => this.addToCache(table, name, this.read(table, name))).then((key) =>
      key === undefined ? this.request(table, name) : key,
    );
  }

  /** Returns null for a destroyed key, and undefined for one that was never created. */
  private read(table: Table, name: string): Key | undefined {
    const row = this.database.statement(`SELECT key FROM ${table} WHERE name = ?`).get(name);
    return row && (row['key'] as Key);
  }

  private request(table: Table, name: string): Promise<Key> {
    return new Promise((resolve, reject) => {
      if (this.requests.length === 0) setImmediate(() => this.createRequestedKeys());
      this.requests.push({ table, name, resolve, reject });
    });
  }

  /**
   * Creates all keys that were requested in one turn of the event loop, in one commit. Several requests for
   * one name get the same key.
   */
  private createRequestedKeys(): void {
    const { requests } = this;
    this.requests = [];
    if (requests.length === 0) return;
    try {
      const keys = this.database.transaction(() =>
        requests.map(({ table, name }) => {
          this.insert(table, name, randomBytes(KEY_BYTES));
          return this.read(table, name) ?? null;
        }),
      );
      for (const [index, { table, name, resolve }] of requests.entries()) resolve(this.addToCache(table, name, keys[index] ?? null));
    } catch (error) {
      for (const { reject } of requests) reject(toStoreUnavailable(error));
    }
  }

  private insert(table: Table, name: string, key: Uint8Array): void {
    if (table === 'personal_keys') this.database.statement('INSERT OR IGNORE INTO personal_keys (name, key) VALUES (?, ?)').run(name, key);
    else this.database.statement('INSERT OR IGNORE INTO service_keys (name, key, digest) VALUES (?, ?, ?)').run(name, key, digestOf(key));
  }

  /**
   * Caches a key and returns it. Call it in the same turn of the event loop as the read, so that the key is
   * not destroyed in between.
   */
  private addToCache<K extends Key | undefined>(table: Table, name: string, key: K): K {
    if (!key) return key;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(cacheKeyOf(table, name), key);
    return key;
  }
}

const cacheKeyOf = (table: Table, name: string): string => `${table} ${name}`;
