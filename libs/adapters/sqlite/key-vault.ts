import { randomBytes } from 'node:crypto';
import type { CarriedKey, KeyLookup, KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isSqliteFailure, isStorageFailure, promised, unavailable } from './failures.js';
import { IN_MEMORY, KEYS_FILE, openDatabase, type Database } from './folder/database.js';
import { KEY_MIGRATIONS, migrate } from './folder/migrations.js';
import type { FolderRefused } from './folder/refused.js';
import { digestOf } from './folder/store-files.js';
import { refused } from './folder/store-id.js';

const KEY_BYTES = 32;
/** Keys remembered; beyond that they are read again. */
const REMEMBERED = 10_000;

type Table = 'service_keys' | 'personal_keys';
type Key = Uint8Array | null;
type Ask = { readonly table: Table; readonly name: string; readonly resolve: (key: Key) => void; readonly reject: (error: Error) => void };

/** A vault that has to be closed. */
export type OpenKeyVault = KeyVault &
  KeyLookup & {
    /** Every key there is, in order to carry them elsewhere. */
    all(): readonly CarriedKey[];
    close(): void;
  };

/** Opens the folder's keys, also while another process works on the folder; `:memory:` keeps none. */
export const openKeyVault = async (directory: string): Promise<OpenKeyVault> => {
  const database = openDatabase(directory, KEYS_FILE);
  try {
    migrate(database, KEY_MIGRATIONS);
    addDigests(database);
    return new SqliteKeyVault(database, directory !== IN_MEMORY);
  } catch (error) {
    database.close();
    throw isSqliteFailure(error) && !isStorageFailure(error) ? notKeys(directory, error) : error;
  }
};

/** Tables that are not what the file says they are. */
const notKeys = (directory: string, error: unknown): FolderRefused =>
  refused('damaged', directory, [`${KEYS_FILE} is not what it says it is: ${reasonOf(error)}`]);

/** A key that was made before keys had digests gets one. */
const addDigests = (database: Database): void => {
  for (const { name, key } of database.statement('SELECT name, key FROM service_keys WHERE digest IS NULL').all())
    database.statement('UPDATE service_keys SET digest = ? WHERE name = ?').run(digestOf(key as Uint8Array), name as string);
};

class SqliteKeyVault implements OpenKeyVault {
  private readonly remembered = new Map<string, Uint8Array>();
  private asks: Ask[] = [];

  constructor(
    private readonly database: Database,
    private readonly onDisk: boolean,
  ) {}

  async serviceKey(name: string): Promise<Uint8Array> {
    const key = await this.key('service_keys', name);
    if (!key) throw new Error(`the service key ${name} cannot have been destroyed`);
    return key;
  }

  personalKey(subject: string): Promise<Key> {
    return this.key('personal_keys', subject);
  }

  destroyPersonalKey(subject: string): Promise<void> {
    return promised(() => {
      // "A key is never made again for that subject": a row without a key says so, also where there never was one.
      const sql = 'INSERT INTO personal_keys (name, key) VALUES (?, NULL) ON CONFLICT (name) DO UPDATE SET key = NULL';
      this.database.transaction(() => this.database.statement(sql).run(subject));
      this.remembered.delete(placeOf('personal_keys', subject));
      // The database file is overwritten at once, and the write-ahead log, which still has the key, is emptied.
      if (this.onDisk) this.database.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  existing(kind: CarriedKey['kind'], name: string): Promise<Key | undefined> {
    return promised(() => this.read(kind === 'service' ? 'service_keys' : 'personal_keys', name));
  }

  all(): readonly CarriedKey[] {
    const keysIn = (table: Table, kind: CarriedKey['kind']): readonly CarriedKey[] =>
      this.database
        .statement(`SELECT name, key FROM ${table} ORDER BY name`)
        .all()
        .map(({ name, key }) => ({ kind, name: String(name), key: key as Key }));
    return [...keysIn('service_keys', 'service'), ...keysIn('personal_keys', 'personal')];
  }

  close(): void {
    this.make();
    this.database.close();
  }

  private key(table: Table, name: string): Promise<Key> {
    const known = this.remembered.get(placeOf(table, name));
    if (known) return Promise.resolve(known);
    return promised(() => this.remember(table, name, this.read(table, name))).then((key) =>
      key === undefined ? this.ask(table, name) : key,
    );
  }

  /** Null says destroyed; undefined says never asked for. */
  private read(table: Table, name: string): Key | undefined {
    const row = this.database.statement(`SELECT key FROM ${table} WHERE name = ?`).get(name);
    return row && (row['key'] as Key);
  }

  private ask(table: Table, name: string): Promise<Key> {
    return new Promise((resolve, reject) => {
      if (this.asks.length === 0) setImmediate(() => this.make());
      this.asks.push({ table, name, resolve, reject });
    });
  }

  /** All keys asked for in one turn of the event loop share one wait for the disk; the first caller creates the key. */
  private make(): void {
    const { asks } = this;
    this.asks = [];
    if (asks.length === 0) return;
    try {
      const keys = this.database.transaction(() =>
        asks.map(({ table, name }) => {
          this.insert(table, name, randomBytes(KEY_BYTES));
          return this.read(table, name) ?? null;
        }),
      );
      for (const [index, { table, name, resolve }] of asks.entries()) resolve(this.remember(table, name, keys[index] ?? null));
    } catch (error) {
      for (const { reject } of asks) reject(unavailable(error));
    }
  }

  private insert(table: Table, name: string, key: Uint8Array): void {
    if (table === 'personal_keys') this.database.statement('INSERT OR IGNORE INTO personal_keys (name, key) VALUES (?, ?)').run(name, key);
    else this.database.statement('INSERT OR IGNORE INTO service_keys (name, key, digest) VALUES (?, ?, ?)').run(name, key, digestOf(key));
  }

  /** In the same breath as the key was read from the disk: one destroyed afterwards is forgotten again. */
  private remember<K extends Key | undefined>(table: Table, name: string, key: K): K {
    if (!key) return key;
    if (this.remembered.size >= REMEMBERED) this.remembered.clear();
    this.remembered.set(placeOf(table, name), key);
    return key;
  }
}

const placeOf = (table: Table, name: string): string => `${table} ${name}`;
