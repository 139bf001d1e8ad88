import type { Collection as MongoCollection, Db } from 'mongodb';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import {
  KeyConflict,
  type KeyCopy,
  type KeyImport,
  type KeyLookup,
  type KeyVault,
  type PersonalKeyList,
  type ServiceKey,
  type ServiceKeyList,
} from '../../../eventsourcing/ports/key-vault.port.js';
import { isFresh } from '../freshness.js';
import { withPortErrors } from '../connection/failures.js';
import { locationOf, type KeyRecord, type KeyTable as Table } from './key-record.js';
import { insertOrRead, type Seal } from './seal.js';

const KEY_BYTES = 32;
/** Maximum number of cached keys. A full cache is cleared. */
const MAX_CACHED = 10_000;
/**
 * How long a personal key is cached. After another process destroys a key, this process may use its cached copy that long.
 * Service keys are cached without a time limit.
 */
const CACHE_MILLISECONDS = 1_000;

type Key = Uint8Array | null;

/** All operations on keys. */
export type MongoKeys = KeyVault & ServiceKeyList & PersonalKeyList & KeyImport & KeyLookup;

/** Opens the key vault, which all processes share. */
export const openKeyVault = (database: Db, clock: Clock, seal: Seal): MongoKeys => new MongoKeyVault(database, clock, seal);

class MongoKeyVault implements MongoKeys {
  private readonly cache = new Map<string, { readonly key: Uint8Array; readonly readAt: number }>();
  /**
   * The number of keys that this process has destroyed or removed. If the number changes while a key is read, the read key is
   * not cached, because it may be the one that was destroyed or removed.
   */
  private destroyed = 0;

  constructor(
    private readonly database: Db,
    private readonly clock: Clock,
    private readonly seal: Seal,
  ) {}

  async serviceKey(name: string, createdAt?: Date): Promise<Uint8Array> {
    const key = await this.key('service_keys', name, Infinity, createdAt ?? this.clock.now());
    if (!key) throw new Error(`the service key ${name} is missing`);
    return key;
  }

  removeServiceKey(name: string): Promise<void> {
    return withPortErrors(async () => {
      await this.keysIn('service_keys').deleteOne({ _id: name });
      this.destroyed++;
      this.cache.delete(locationOf('service_keys', name));
    });
  }

  serviceKeys(): Promise<readonly ServiceKey[]> {
    return withPortErrors(async () => {
      const records = await this.keysIn('service_keys')
        .find({}, { sort: { _id: 1 } })
        .toArray();
      return records.flatMap(({ _id: name, key, createdAt = null }) =>
        key ? [{ name, key: this.seal.unwrap(locationOf('service_keys', name), key), createdAt }] : [],
      );
    });
  }

  async *personalKeys(): AsyncGenerator<{ readonly name: string; readonly isDestroyed: boolean }> {
    const found = this.keysIn('personal_keys').find({}, { sort: { _id: 1 } });
    try {
      for (;;) {
        const record = await withPortErrors(() => found.next());
        if (!record) return;
        yield { name: record._id, isDestroyed: record.key === null };
      }
    } finally {
      await found.close();
    }
  }

  personalKey(subject: string): Promise<Key> {
    return this.key('personal_keys', subject, CACHE_MILLISECONDS);
  }

  destroyPersonalKey(subject: string): Promise<void> {
    return withPortErrors(async () => {
      await insertOrRead(() => this.keysIn('personal_keys').findOneAndUpdate({ _id: subject }, { $set: { key: null } }, UPSERT));
      this.destroyed++;
      this.cache.delete(locationOf('personal_keys', subject));
    });
  }

  importKey({ kind, name, key, createdAt }: KeyCopy): Promise<void> {
    return withPortErrors(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const location = locationOf(table, name);
      const mine = { key: key && (await this.seal.wrap(location, key)), ...(createdAt && { createdAt }) };
      const record = await this.insert(table, name, mine);
      const there = record.key && this.seal.unwrap(location, record.key);
      const same = there && key ? Buffer.compare(there, key) === 0 : there === key;
      if (!same) throw new KeyConflict(`the vault has a different ${kind} key ${kind === 'service' ? `named ${name}` : 'for this person'}`);
    });
  }

  lookUp(kind: KeyCopy['kind'], name: string): Promise<Key | undefined> {
    return withPortErrors(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const record = await this.keysIn(table).findOne({ _id: name });
      if (!record) return undefined;
      return record.key && this.seal.unwrap(locationOf(table, name), record.key);
    });
  }

  private async key(table: Table, name: string, maxAge: number, createdAt?: Date): Promise<Key> {
    const location = locationOf(table, name);
    const known = this.cache.get(location);
    const now = this.clock.now().getTime();
    if (known && isFresh(known.readAt, now, maxAge)) return known.key;
    const { destroyed } = this;
    const record = await withPortErrors(() => this.read(table, name, createdAt));
    if (!record.key) return null;
    const key = this.seal.unwrap(location, record.key);
    if (destroyed !== this.destroyed) return key;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(location, { key, readAt: now });
    return key;
  }

  /** Reads a key, or creates it from 32 random bytes. The key is durable when it is returned. */
  private async read(table: Table, name: string, createdAt?: Date): Promise<KeyRecord> {
    const found = await this.keysIn(table).findOne({ _id: name });
    if (found) return found;
    const key = await this.seal.wrap(locationOf(table, name), randomBytes(KEY_BYTES));
    return this.insert(table, name, { key, ...(createdAt && { createdAt }) });
  }

  /** Inserts a key, unless the name already has one. Returns the stored record. */
  private async insert(table: Table, name: string, mine: Omit<KeyRecord, '_id'>): Promise<KeyRecord> {
    const keys = this.keysIn(table);
    const record = await insertOrRead(() => keys.findOneAndUpdate({ _id: name }, { $setOnInsert: mine }, UPSERT));
    if (!this.seal.isChanging || !record.key) return record;
    // After `mine` was wrapped, another process may have started a re-encryption, which may have missed this new key. So this
    // process wraps the stored key again if it is not wrapped with the current key-encryption key.
    const renewed = (await this.seal.isCurrent()) ? this.seal.rewrap(locationOf(table, name), record.key) : null;
    if (renewed) await keys.updateOne({ _id: name, key: record.key }, { $set: { key: renewed } });
    return record;
  }

  private keysIn(table: Table): MongoCollection<KeyRecord> {
    return this.database.collection<KeyRecord>(table);
  }
}

const UPSERT = { upsert: true, returnDocument: 'after' } as const;
