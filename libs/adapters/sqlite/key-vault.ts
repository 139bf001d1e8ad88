import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type {
  AddedKeyTerms,
  KeyCopy,
  KeyLookup,
  KeyVault,
  PersonalKeyList,
  ServiceKey,
  ServiceKeyList,
} from '../../eventsourcing/ports/key-vault.port.js';
import type { CommitQueue } from './commits/commit-queue.js';
import { runAsPromise, toStoreUnavailable } from './failures.js';
import type { Database } from './folder/database.js';
import { digestOf } from './folder/store-files.js';

const KEY_BYTES = 32;
/** Maximum number of cached keys. The least recently used is evicted. */
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

type VaultDependencies = {
  readonly database: Database;
  readonly queue: CommitQueue;
  readonly clock: Clock;
};

/** The keys of a folder. A key that several callers request at the same time is created once. */
export class SqliteKeyVault implements KeyVault, ServiceKeyList, PersonalKeyList, KeyLookup {
  private readonly cache = new LRUCache<string, Uint8Array>({ max: MAX_CACHED });
  private requests: KeyRequest[] = [];
  /** Cancels the next attempt after an incomplete checkpoint. Null if the last checkpoint was complete. */
  private cancelRetry: (() => void) | null = null;
  private closing: Promise<void> | null = null;

  constructor(private readonly dependencies: VaultDependencies) {}

  async serviceKey(name: string, createdAt?: Date): Promise<Uint8Array> {
    const key = await this.key('service_keys', name, createdAt);
    if (!key) throw new Error(`the service key ${name} is missing`);
    return key;
  }

  removeServiceKey(name: string): Promise<void> {
    const { database, queue } = this.dependencies;
    return queue.write('alone', () => database.write('DELETE FROM service_keys WHERE name = ?', name), {
      onCommitted: () => this.cache.delete(cacheKeyOf('service_keys', name)),
    });
  }

  serviceKeys(): Promise<readonly ServiceKey[]> {
    const { database, clock } = this.dependencies;
    return runAsPromise(() =>
      database
        .statement('SELECT name, key, created, activates, requests FROM service_keys ORDER BY name')
        .all()
        .map(({ name, key, created, activates, requests }) => ({
          name: String(name),
          key: key as Uint8Array,
          createdAt: created === null ? null : new Date(Number(created)),
          ...(activates !== null && { activatesAt: new Date(Number(activates)) }),
          requests: JSON.parse(String(requests)) as string[],
          waits: Math.max(0, Number(activates ?? 0) - clock.now().getTime()),
        })),
    );
  }

  async addServiceKey(name: string, key: Uint8Array, { wait, notBefore, request }: AddedKeyTerms = {}): Promise<boolean> {
    const { database, queue, clock } = this.dependencies;
    const sql = 'INSERT OR IGNORE INTO service_keys (name, key, digest, created, activates, requests) VALUES (?, ?, ?, ?, ?, ?)';
    const now = clock.now().getTime();
    const created = Math.max(now, notBefore?.getTime() ?? now);
    const activates = wait === undefined ? null : now + wait;
    const requests = JSON.stringify(request === undefined ? [] : [request]);
    await queue.write('alone', () => database.write(sql, name, key, digestOf(key), created, activates, requests));
    return Buffer.compare(this.read('service_keys', name) ?? Buffer.of(), key) === 0;
  }

  activateServiceKey(name: string, request: string): Promise<void> {
    const { database, queue, clock } = this.dependencies;
    const now = clock.now().getTime();
    const sql = "UPDATE service_keys SET activates = ?, requests = json_insert(requests, '$[#]', ?) WHERE name = ? AND activates > ?";
    return queue.write('alone', () => database.write(sql, now, request, name, now));
  }

  personalKey(subject: string): Promise<Key> {
    return this.key('personal_keys', subject);
  }

  async destroyPersonalKey(subject: string): Promise<void> {
    const { database, queue } = this.dependencies;
    // A row without a key marks a destroyed key. Without the row, the vault would create a new key for the subject later.
    const sql = 'INSERT INTO personal_keys (name, key) VALUES (?, NULL) ON CONFLICT (name) DO UPDATE SET key = NULL';
    await queue.write('alone', () => database.write(sql, subject), {
      onCommitted: () => this.cache.delete(cacheKeyOf('personal_keys', subject)),
    });
    await this.truncateLog();
  }

  /**
   * Overwrites a destroyed key in the database file, and truncates the write-ahead log, which may contain the key. While a backup
   * reads the keys, that stays incomplete. A timer repeats it, and `close` tries it a last time.
   */
  private async truncateLog(): Promise<void> {
    const { queue, clock } = this.dependencies;
    this.cancelRetry?.();
    this.cancelRetry = null;
    const isComplete = await queue.truncateLog();
    if (!isComplete && !this.closing) this.cancelRetry ??= clock.after(RETRY_MILLISECONDS, () => void this.truncateLog());
  }

  lookUp(kind: KeyCopy['kind'], name: string): Promise<Key | undefined> {
    return runAsPromise(() => this.read(kind === 'service' ? 'service_keys' : 'personal_keys', name));
  }

  async *personalKeys(): AsyncGenerator<{ readonly name: string; readonly isDestroyed: boolean }> {
    const select = this.dependencies.database.statement(
      'SELECT name, key IS NULL AS destroyed FROM personal_keys WHERE name > ? ORDER BY name LIMIT ?',
    );
    for (let last = ''; ;) {
      const rows = await runAsPromise(() => select.all(last, LISTED_AT_A_TIME));
      for (const { name, destroyed } of rows) yield { name: (last = String(name)), isDestroyed: destroyed === 1 };
      if (rows.length < LISTED_AT_A_TIME) return;
    }
  }

  all(): readonly KeyCopy[] {
    const keysIn = (kind: KeyCopy['kind'], select: string): readonly KeyCopy[] =>
      this.dependencies.database
        .statement(`${select} ORDER BY name`)
        .all()
        .map(({ name, key, created, activates, requests }) => ({
          kind,
          name: String(name),
          key: key as Key,
          ...(created !== null && { createdAt: new Date(Number(created)) }),
          ...(activates !== null && { activatesAt: new Date(Number(activates)) }),
          ...(requests !== null && { requests: JSON.parse(String(requests)) as string[] }),
        }));
    return [
      ...keysIn('service', 'SELECT name, key, created, activates, requests FROM service_keys'),
      ...keysIn('personal', 'SELECT name, key, NULL AS created, NULL AS activates, NULL AS requests FROM personal_keys'),
    ];
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    const { database, queue } = this.dependencies;
    this.createRequestedKeys();
    if (this.cancelRetry) await this.truncateLog();
    this.cancelRetry?.();
    await queue.close();
    database.close();
  }

  private key(table: Table, name: string, createdAt?: Date): Promise<Key> {
    const cached = this.cache.get(cacheKeyOf(table, name));
    if (cached) return Promise.resolve(cached);
    return runAsPromise(() => this.addToCache(table, name, this.read(table, name))).then((key) =>
      key === undefined ? this.request(table, name, createdAt) : key,
    );
  }

  /** Returns null for a destroyed key, and undefined for a key that was never created. */
  private read(table: Table, name: string): Key | undefined {
    const row = this.dependencies.database.statement(`SELECT key FROM ${table} WHERE name = ?`).get(name);
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
    const insertAll = (): void => {
      for (const { table, name, createdAt = this.dependencies.clock.now() } of requests)
        this.insert(table, name, randomBytes(KEY_BYTES), createdAt);
    };
    // Each key is read after the commit: another request, or another process, may have created it first.
    const answerAll = (): void => {
      for (const { table, name, resolve } of requests) resolve(this.addToCache(table, name, this.read(table, name) ?? null));
    };
    this.dependencies.queue
      .write('alone', insertAll, { rows: requests.length })
      .then(answerAll)
      .catch((error: unknown) => {
        for (const { reject } of requests) reject(toStoreUnavailable(error));
      });
  }

  private insert(table: Table, name: string, key: Uint8Array, createdAt: Date): void {
    const { database } = this.dependencies;
    if (table === 'personal_keys') database.write('INSERT OR IGNORE INTO personal_keys (name, key) VALUES (?, ?)', name, key);
    else {
      const sql = 'INSERT OR IGNORE INTO service_keys (name, key, digest, created) VALUES (?, ?, ?, ?)';
      database.write(sql, name, key, digestOf(key), createdAt.getTime());
    }
  }

  /**
   * Caches and returns a key. Call this method in the same turn of the event loop as the read. In a later turn, the key may
   * already be destroyed, and must not return to the cache.
   */
  private addToCache<K extends Key | undefined>(table: Table, name: string, key: K): K {
    if (!key) return key;
    this.cache.set(cacheKeyOf(table, name), key);
    return key;
  }
}

const cacheKeyOf = (table: Table, name: string): string => `${table} ${name}`;
