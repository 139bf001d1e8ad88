import { randomBytes } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type {
  KeyCopy,
  KeyLookup,
  KeyVault,
  PersonalKeyList,
  ServiceKey,
  ServiceKeyList,
} from '../../eventsourcing/ports/key-vault.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isSqliteFailure, isStorageFailure, runAsPromise, toStoreUnavailable } from './failures.js';
import { BUSY_MILLISECONDS, IN_MEMORY, KEYS_FILE, openDatabase, type Database } from './folder/database.js';
import { KEY_MIGRATIONS, migrate } from './folder/migrations.js';
import type { FolderRefused } from './folder/refused.js';
import { digestOf } from './folder/store-files.js';
import { folderRefused } from './folder/store-id.js';

const KEY_BYTES = 32;
/** Maximum number of cached keys. A full cache is cleared. */
const MAX_CACHED = 10_000;

/** The number of personal keys that one query lists. It is limited, so that a query does not block the event loop long. */
const LISTED_AT_A_TIME = 1_000;

/** How long the vault waits after an incomplete checkpoint of the write-ahead log before it tries again. */
const RETRY_MILLISECONDS = 1_000;

type Table = 'service_keys' | 'personal_keys';
type Key = Uint8Array | null;
type KeyRequest = {
  readonly table: Table;
  readonly name: string;
  readonly createdAt: Date | undefined;
  readonly resolve: (key: Key) => void;
  readonly reject: (error: Error) => void;
};

/** A key vault with an open file. */
export type OpenKeyVault = KeyVault &
  ServiceKeyList &
  PersonalKeyList &
  KeyLookup & {
    /** Returns all keys, so that they can be copied to another vault. */
    all(): readonly KeyCopy[];
    close(): void;
  };

/**
 * Opens the key file of a folder. Another process may use the folder at the same time. With the directory `:memory:`, keys are
 * stored only in memory. `file` is the name of the key file. Only a restore passes another name: that of its unfinished copy.
 */
export const openKeyVault = async (directory: string, clock: Clock, file = KEYS_FILE): Promise<OpenKeyVault> => {
  const database = openDatabase(directory, file);
  try {
    migrate(database, KEY_MIGRATIONS);
    addDigests(database);
    return new SqliteKeyVault(database, clock, directory !== IN_MEMORY);
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
  /** Cancels the next attempt after an incomplete checkpoint. Null if the last checkpoint was complete. */
  private cancelRetry: (() => void) | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly onDisk: boolean,
  ) {}

  async serviceKey(name: string, createdAt?: Date): Promise<Uint8Array> {
    const key = await this.key('service_keys', name, createdAt);
    if (!key) throw new Error(`the service key ${name} is missing`);
    return key;
  }

  removeServiceKey(name: string): Promise<void> {
    return runAsPromise(() => {
      this.database.transaction(() => this.database.statement('DELETE FROM service_keys WHERE name = ?').run(name));
      this.cache.delete(cacheKeyOf('service_keys', name));
    });
  }

  serviceKeys(): Promise<readonly ServiceKey[]> {
    return runAsPromise(() =>
      this.database
        .statement('SELECT name, key, created FROM service_keys ORDER BY name')
        .all()
        .map(({ name, key, created }) => ({
          name: String(name),
          key: key as Uint8Array,
          createdAt: created === null ? null : new Date(Number(created)),
        })),
    );
  }

  personalKey(subject: string): Promise<Key> {
    return this.key('personal_keys', subject);
  }

  destroyPersonalKey(subject: string): Promise<void> {
    return runAsPromise(() => {
      // A row without a key marks a destroyed key. Without the row, the vault would create a new key for the subject later.
      const sql = 'INSERT INTO personal_keys (name, key) VALUES (?, NULL) ON CONFLICT (name) DO UPDATE SET key = NULL';
      this.database.transaction(() => this.database.statement(sql).run(subject));
      this.cache.delete(cacheKeyOf('personal_keys', subject));
      // The checkpoint overwrites the key in the database file, and truncates the write-ahead log, which may contain the key.
      if (this.onDisk) this.checkpoint();
    });
  }

  /**
   * Checkpoints the write-ahead log. While a backup reads the keys, the checkpoint stays incomplete. A timer repeats an
   * incomplete checkpoint, and `close` tries it a last time.
   */
  private checkpoint(): void {
    this.cancelRetry?.();
    const isBusy = !checkpointWithoutWaiting(this.database);
    this.cancelRetry = isBusy ? this.clock.after(RETRY_MILLISECONDS, () => this.checkpoint()) : null;
  }

  lookUp(kind: KeyCopy['kind'], name: string): Promise<Key | undefined> {
    return runAsPromise(() => this.read(kind === 'service' ? 'service_keys' : 'personal_keys', name));
  }

  async *personalKeys(): AsyncGenerator<{ readonly name: string; readonly isDestroyed: boolean }> {
    const select = this.database.statement('SELECT name, key IS NULL AS destroyed FROM personal_keys WHERE name > ? ORDER BY name LIMIT ?');
    for (let last = ''; ;) {
      const rows = await runAsPromise(() => select.all(last, LISTED_AT_A_TIME));
      for (const { name, destroyed } of rows) yield { name: (last = String(name)), isDestroyed: destroyed === 1 };
      if (rows.length < LISTED_AT_A_TIME) return;
    }
  }

  all(): readonly KeyCopy[] {
    const keysIn = (kind: KeyCopy['kind'], select: string): readonly KeyCopy[] =>
      this.database
        .statement(`${select} ORDER BY name`)
        .all()
        .map(({ name, key, created }) => ({
          kind,
          name: String(name),
          key: key as Key,
          ...(created !== null && { createdAt: new Date(Number(created)) }),
        }));
    return [
      ...keysIn('service', 'SELECT name, key, created FROM service_keys'),
      ...keysIn('personal', 'SELECT name, key, NULL AS created FROM personal_keys'),
    ];
  }

  close(): void {
    this.createRequestedKeys();
    if (this.cancelRetry) this.checkpoint();
    this.cancelRetry?.();
    this.database.close();
  }

  private key(table: Table, name: string, createdAt?: Date): Promise<Key> {
    const known = this.cache.get(cacheKeyOf(table, name));
    if (known) return Promise.resolve(known);
    return runAsPromise(() => this.addToCache(table, name, this.read(table, name))).then((key) =>
      key === undefined ? this.request(table, name, createdAt) : key,
    );
  }

  /** Returns null for a destroyed key, and undefined for a key that was never created. */
  private read(table: Table, name: string): Key | undefined {
    const row = this.database.statement(`SELECT key FROM ${table} WHERE name = ?`).get(name);
    return row && (row['key'] as Key);
  }

  private request(table: Table, name: string, createdAt: Date | undefined): Promise<Key> {
    return new Promise((resolve, reject) => {
      if (this.requests.length === 0) setImmediate(() => this.createRequestedKeys());
      this.requests.push({ table, name, createdAt, resolve, reject });
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
        requests.map(({ table, name, createdAt = this.clock.now() }) => {
          this.insert(table, name, randomBytes(KEY_BYTES), createdAt);
          return this.read(table, name) ?? null;
        }),
      );
      for (const [index, { table, name, resolve }] of requests.entries()) resolve(this.addToCache(table, name, keys[index] ?? null));
    } catch (error) {
      for (const { reject } of requests) reject(toStoreUnavailable(error));
    }
  }

  private insert(table: Table, name: string, key: Uint8Array, createdAt: Date): void {
    if (table === 'personal_keys') this.database.statement('INSERT OR IGNORE INTO personal_keys (name, key) VALUES (?, ?)').run(name, key);
    else
      this.database
        .statement('INSERT OR IGNORE INTO service_keys (name, key, digest, created) VALUES (?, ?, ?, ?)')
        .run(name, key, digestOf(key), createdAt.getTime());
  }

  /**
   * Caches and returns a key. Call this method in the same turn of the event loop as the read. In a later turn, the key may
   * already be destroyed, and must not return to the cache.
   */
  private addToCache<K extends Key | undefined>(table: Table, name: string, key: K): K {
    if (!key) return key;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(cacheKeyOf(table, name), key);
    return key;
  }
}

/**
 * Checkpoints and truncates the write-ahead log. Returns false if a reader prevents a complete checkpoint. The function does
 * not wait for readers, because waiting would block the event loop.
 */
const checkpointWithoutWaiting = ({ connection }: Database): boolean => {
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    return connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`);
  }
};

const cacheKeyOf = (table: Table, name: string): string => `${table} ${name}`;
