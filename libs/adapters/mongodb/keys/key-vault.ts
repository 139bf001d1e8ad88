import type { Collection as MongoCollection, Db, Document } from 'mongodb';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import {
  KeyConflict,
  type AddedKeyTerms,
  type KeyCopy,
  type KeyImport,
  type KeyLookup,
  type KeyVault,
  type PersonalKeyList,
  type ServiceKey,
  type ServiceKeyList,
} from '../../../eventsourcing/ports/key-vault.port.js';
import { insertOrRead, withPortErrors } from '../connection/failures.js';
import { locationOf, type KeyRecord, type KeyTable as Table } from './key-record.js';
import type { Seal } from './seal.js';

const KEY_BYTES = 32;
type Key = Uint8Array | null;

/** All operations on keys. */
export type MongoKeys = KeyVault & ServiceKeyList & PersonalKeyList & KeyImport & KeyLookup;

/** Opens the key vault, which all processes share. */
export const openKeyVault = (database: Db, clock: Clock, seal: Seal): MongoKeys => new MongoKeyVault(database, clock, seal);

class MongoKeyVault implements MongoKeys {
  /**
   * Service keys by their names. Personal keys are never cached: after another process has destroyed a key, this process must
   * not use it (contract 30.6).
   */
  private readonly serviceKeyCache = new Map<string, Uint8Array>();
  /**
   * The number of service keys that this process has removed. If the number changes while a key is read, the read key is not
   * cached, because it may be the one that was removed.
   */
  private removed = 0;
  /** The subjects whose keys the next query reads, and the result of that query. Null if no query is due. */
  private next: { readonly subjects: Set<string>; readonly records: Promise<ReadonlyMap<string, KeyRecord>> } | null = null;

  constructor(
    private readonly database: Db,
    private readonly clock: Clock,
    private readonly seal: Seal,
  ) {}

  async serviceKey(name: string, createdAt?: Date): Promise<Uint8Array> {
    const cached = this.serviceKeyCache.get(name);
    if (cached) return cached;
    const { removed } = this;
    const record = await withPortErrors(
      async () =>
        (await this.keysIn('service_keys').findOne({ _id: name })) ?? this.create('service_keys', name, createdAt ?? this.clock.now()),
    );
    if (!record.key) throw new Error(`the service key ${name} is missing`);
    const key = this.seal.unwrap(locationOf('service_keys', name), record.key);
    if (removed === this.removed) this.serviceKeyCache.set(name, key);
    return key;
  }

  removeServiceKey(name: string): Promise<void> {
    return withPortErrors(async () => {
      await this.keysIn('service_keys').deleteOne({ _id: name });
      this.removed++;
      this.serviceKeyCache.delete(name);
    });
  }

  serviceKeys(): Promise<readonly ServiceKey[]> {
    return withPortErrors(async () => {
      const waits = { $max: [0, { $ifNull: [{ $subtract: ['$activatesAt', '$$NOW'] }, 0] }] };
      const records = await this.keysIn('service_keys')
        .aggregate<KeyRecord & Pick<ServiceKey, 'waits'>>([{ $sort: { _id: 1 } }, { $set: { waits: { $toDouble: waits } } }])
        .toArray();
      return records.flatMap(({ _id: name, key, createdAt = null, activatesAt, requests = [], waits: left }) =>
        key
          ? [
              {
                ...{ name, key: this.seal.unwrap(locationOf('service_keys', name), key), createdAt, requests, waits: left },
                ...(activatesAt && { activatesAt }),
              },
            ]
          : [],
      );
    });
  }

  addServiceKey(name: string, key: Uint8Array, { wait, notBefore = new Date(0), request }: AddedKeyTerms = {}): Promise<boolean> {
    return withPortErrors(async () => {
      const location = locationOf('service_keys', name);
      const mine = {
        key: { $literal: await this.seal.wrap(location, key) },
        createdAt: { $max: ['$$NOW', notBefore] },
        ...(wait !== undefined && { activatesAt: { $add: ['$$NOW', wait] } }),
        ...(request !== undefined && { requests: { $literal: [request] } }),
      };
      const isNew = { $eq: [{ $type: '$key' }, 'missing'] };
      const record = await this.insert('service_keys', name, [
        { $replaceWith: { $cond: [isNew, { $mergeObjects: ['$$ROOT', mine] }, '$$ROOT'] } },
      ]);
      return record.key !== null && Buffer.compare(this.seal.unwrap(location, record.key), key) === 0;
    });
  }

  activateServiceKey(name: string, request: string): Promise<void> {
    return withPortErrors(async () => {
      const isWaiting = { _id: name, $expr: { $gt: ['$activatesAt', '$$NOW'] } };
      const requests = { $concatArrays: [{ $ifNull: ['$requests', []] }, { $literal: [request] }] };
      await this.keysIn('service_keys').updateOne(isWaiting, [{ $set: { activatesAt: '$$NOW', requests } }]);
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

  async personalKey(subject: string): Promise<Key> {
    const record = (await this.readTogether(subject)) ?? (await withPortErrors(() => this.create('personal_keys', subject)));
    return record.key && this.seal.unwrap(locationOf('personal_keys', subject), record.key);
  }

  destroyPersonalKey(subject: string): Promise<void> {
    return withPortErrors(async () => {
      await insertOrRead(() => this.keysIn('personal_keys').findOneAndUpdate({ _id: subject }, { $set: { key: null } }, UPSERT));
    });
  }

  importKey({ kind, name, key, createdAt, activatesAt, requests = [] }: KeyCopy): Promise<void> {
    return withPortErrors(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const location = locationOf(table, name);
      const mine = {
        key: key && (await this.seal.wrap(location, key)),
        ...(createdAt && { createdAt }),
        ...(activatesAt && { activatesAt }),
        ...(requests.length > 0 && { requests }),
      };
      const record = await this.insert(table, name, { $setOnInsert: mine });
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

  /**
   * Returns the stored record of a personal key, or undefined. One query reads all keys that are requested in the same step, such
   * as those of a page of accounts. A key that is requested after the query was sent is read by another query, because it may
   * have been destroyed since.
   */
  private async readTogether(subject: string): Promise<KeyRecord | undefined> {
    this.next ??= this.plan();
    this.next.subjects.add(subject);
    return (await this.next.records).get(subject);
  }

  private plan(): NonNullable<typeof this.next> {
    const subjects = new Set<string>();
    const records = Promise.resolve().then(async () => {
      this.next = null;
      const found = await withPortErrors(() =>
        this.keysIn('personal_keys')
          .find({ _id: { $in: [...subjects] } })
          .toArray(),
      );
      return new Map(found.map((record) => [record._id, record]));
    });
    return { subjects, records };
  }

  /** Creates a key from 32 random bytes, unless the name already has one. The key is durable when it is returned. */
  private async create(table: Table, name: string, createdAt?: Date): Promise<KeyRecord> {
    const key = await this.seal.wrap(locationOf(table, name), randomBytes(KEY_BYTES));
    return this.insert(table, name, { $setOnInsert: { key, ...(createdAt && { createdAt }) } });
  }

  /** Inserts a key by `update`, which changes nothing if the name already has one. Returns the stored record. */
  private async insert(table: Table, name: string, update: Document | Document[]): Promise<KeyRecord> {
    const keys = this.keysIn(table);
    const record = await insertOrRead(() => keys.findOneAndUpdate({ _id: name }, update, UPSERT));
    if (!this.seal.isChanging || !record.key) return record;
    // After the key was wrapped, another process may have started a re-encryption, which may have missed this new key. So this
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
