import { Binary, type Collection as MongoCollection, type Db } from 'mongodb';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { KeyConflict, type KeyCopy, type KeyImport, type KeyLookup, type KeyVault } from '../../../eventsourcing/ports/key-vault.port.js';
import { isFresh } from '../freshness.js';
import { withPortErrors, isDuplicate } from '../connection/failures.js';
import { noWrapping, wrapWith, type KeyWrapping } from './wrapping.js';

const KEY_BYTES = 32;
/** Maximum number of cached keys. The cache is cleared instead of exceeding it. */
const MAX_CACHED = 10_000;
/**
 * How long a personal key is cached. It limits how long this process can use a key that another process has
 * destroyed.
 */
const CACHE_MILLISECONDS = 1_000;

type Table = 'service_keys' | 'personal_keys';
type Key = Uint8Array | null;

/** The record of a key. `key` is null after destruction, so that the subject gets no second key. */
type KeyRecord = { readonly _id: string; readonly key: Binary | null };

/**
 * Says whether keys are stored wrapped. `sealed` is a wrapped random text, which only the right
 * key-encryption key can unwrap.
 */
type SealRecord = { readonly _id: 'seal'; readonly wrapped: boolean; readonly sealed: Binary };

const SEAL = 'seal';

/** Thrown when the key-encryption key is missing, unexpected or wrong. */
export class WrongWrappingKey extends Error {
  override readonly name = 'WrongWrappingKey';
}

/**
 * Opens the key vault, which all processes share. Rejects with WrongWrappingKey if the key-encryption key
 * does not match.
 */
export const openKeyVault = async (database: Db, clock: Clock, wrappingKey?: Uint8Array): Promise<KeyVault & KeyImport & KeyLookup> => {
  const wrapping = wrappingKey ? wrapWith(wrappingKey) : noWrapping;
  await withPortErrors(() => checkSeal(database.collection<SealRecord>('key_seal'), wrapping, wrappingKey !== undefined));
  return new MongoKeyVault(database, clock, wrapping);
};

/** The first process creates the seal. Every later process must be able to unwrap it. */
const checkSeal = async (seals: MongoCollection<SealRecord>, wrapping: KeyWrapping, wrapped: boolean): Promise<void> => {
  const mine = { wrapped, sealed: new Binary(wrapping.wrap(SEAL, randomBytes(KEY_BYTES))) };
  const record = await insertOrRead<SealRecord>(() =>
    seals.findOneAndUpdate({ _id: SEAL }, { $setOnInsert: mine }, { upsert: true, returnDocument: 'after' }),
  );
  if (record.wrapped && !wrapped) throw new WrongWrappingKey('the keys are wrapped with a key-encryption key, but none is configured');
  if (!record.wrapped && wrapped) throw new WrongWrappingKey('a key-encryption key is configured, but the keys are stored without one');
  try {
    wrapping.unwrap(SEAL, bytesOf(record.sealed));
  } catch (error) {
    throw new WrongWrappingKey('the key-encryption key is not the one that wraps the keys', { cause: error });
  }
};

/** Two processes may insert a record at the same time. The one that fails retries and finds the record. */
const insertOrRead = async <T>(insert: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    try {
      const record = await insert();
      if (record) return record;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
};

const bytesOf = (binary: Binary): Uint8Array => binary.buffer.subarray(0, binary.position);

class MongoKeyVault implements KeyVault, KeyImport, KeyLookup {
  private readonly cache = new Map<string, { readonly key: Uint8Array; readonly readAt: number }>();
  /**
   * The number of keys that this process has destroyed. If it changes during a read, the key that was read is
   * not cached.
   */
  private destroyed = 0;

  constructor(
    private readonly database: Db,
    private readonly clock: Clock,
    private readonly wrapping: KeyWrapping,
  ) {}

  async serviceKey(name: string): Promise<Uint8Array> {
    const key = await this.key('service_keys', name, Infinity);
    if (!key) throw new Error(`the service key ${name} is missing, although service keys are never destroyed`);
    return key;
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

  importKey({ kind, name, key }: KeyCopy): Promise<void> {
    return withPortErrors(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const location = locationOf(table, name);
      const mine = { key: key && new Binary(this.wrapping.wrap(location, key)) };
      const record = await insertOrRead(() => this.keysIn(table).findOneAndUpdate({ _id: name }, { $setOnInsert: mine }, UPSERT));
      const there = record.key && this.wrapping.unwrap(location, bytesOf(record.key));
      const same = there && key ? Buffer.compare(there, key) === 0 : there === key;
      if (!same) throw new KeyConflict(`the vault has a different ${kind} key ${kind === 'service' ? name : 'of this person'}`);
    });
  }

  lookUp(kind: KeyCopy['kind'], name: string): Promise<Key | undefined> {
    return withPortErrors(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const record = await this.keysIn(table).findOne({ _id: name });
      if (!record) return undefined;
      return record.key && this.wrapping.unwrap(locationOf(table, name), bytesOf(record.key));
    });
  }

  private async key(table: Table, name: string, maxAge: number): Promise<Key> {
    const location = locationOf(table, name);
    const known = this.cache.get(location);
    const now = this.clock.now().getTime();
    if (known && isFresh(known.readAt, now, maxAge)) return known.key;
    const { destroyed } = this;
    const record = await withPortErrors(() => this.read(table, name));
    if (!record.key) return null;
    const key = this.wrapping.unwrap(location, bytesOf(record.key));
    if (destroyed !== this.destroyed) return key;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(location, { key, readAt: now });
    return key;
  }

  /** Reads a key. The first read creates it from 32 random bytes. It is durable when it is returned. */
  private async read(table: Table, name: string): Promise<KeyRecord> {
    const keys = this.keysIn(table);
    const found = await keys.findOne({ _id: name });
    if (found) return found;
    const key = new Binary(this.wrapping.wrap(locationOf(table, name), randomBytes(KEY_BYTES)));
    return insertOrRead(() => keys.findOneAndUpdate({ _id: name }, { $setOnInsert: { key } }, UPSERT));
  }

  private keysIn(table: Table): MongoCollection<KeyRecord> {
    return this.database.collection<KeyRecord>(table);
  }
}

const UPSERT = { upsert: true, returnDocument: 'after' } as const;

const locationOf = (table: Table, name: string): string => `${table} ${name}`;
