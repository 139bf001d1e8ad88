import { Binary, type Collection as MongoCollection, type Db } from 'mongodb';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { AnotherKey, type CarriedKey, type KeyImport, type KeyLookup, type KeyVault } from '../../../eventsourcing/ports/key-vault.port.js';
import { isBelieved } from '../belief.js';
import { answering, isDuplicate } from '../connection/failures.js';
import { unwrapped, wrappedBy, type KeyWrapping } from './wrapping.js';

const KEY_BYTES = 32;
/** Keys remembered; beyond that they are read again. */
const REMEMBERED = 10_000;
/** How long a person's key is believed: one that another process destroyed is gone here after this. */
const BELIEVED_MILLISECONDS = 1_000;

type Table = 'service_keys' | 'personal_keys';
type Key = Uint8Array | null;

/** `key` is null where it was destroyed: "a key is never made again for that subject". */
type KeptKey = { readonly _id: string; readonly key: Binary | null };

/** What tells how the keys of this database are stored, and whether a key-encryption key is the right one. */
type KeptSeal = { readonly _id: 'seal'; readonly wrapped: boolean; readonly sealed: Binary };

const SEAL = 'seal';

/** The keys cannot be read with the key-encryption key that was given, or without one. */
export class WrongWrappingKey extends Error {
  override readonly name = 'WrongWrappingKey';
}

/** Opens the keys that all processes share. Rejects with WrongWrappingKey when they are wrapped by another key, or by none. */
export const openKeyVault = async (database: Db, clock: Clock, wrappingKey?: Uint8Array): Promise<KeyVault & KeyImport & KeyLookup> => {
  const wrapping = wrappingKey ? wrappedBy(wrappingKey) : unwrapped;
  await answering(() => checkSeal(database.collection<KeptSeal>('key_seal'), wrapping, wrappingKey !== undefined));
  return new MongoKeyVault(database, clock, wrapping);
};

/** The first process leaves a seal; every later one has to be able to open it. */
const checkSeal = async (seals: MongoCollection<KeptSeal>, wrapping: KeyWrapping, wrapped: boolean): Promise<void> => {
  const mine = { wrapped, sealed: new Binary(wrapping.wrap(SEAL, randomBytes(KEY_BYTES))) };
  const kept = await inserted<KeptSeal>(() =>
    seals.findOneAndUpdate({ _id: SEAL }, { $setOnInsert: mine }, { upsert: true, returnDocument: 'after' }),
  );
  if (kept.wrapped && !wrapped) throw new WrongWrappingKey('the keys are wrapped by a key-encryption key, and none was given');
  if (!kept.wrapped && wrapped)
    throw new WrongWrappingKey('a key-encryption key was given, but the keys were stored without one: they are readable as they are');
  try {
    wrapping.unwrap(SEAL, bytesOf(kept.sealed));
  } catch (error) {
    throw new WrongWrappingKey('the key-encryption key is not the one that the keys were wrapped by', { cause: error });
  }
};

/** Two that insert at once: one of them finds the other's. */
const inserted = async <T>(insert: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    try {
      const kept = await insert();
      if (kept) return kept;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
};

const bytesOf = (binary: Binary): Uint8Array => binary.buffer.subarray(0, binary.position);

class MongoKeyVault implements KeyVault, KeyImport, KeyLookup {
  private readonly remembered = new Map<string, { readonly key: Uint8Array; readonly readAt: number }>();
  /** How often keys were destroyed here: one read before that is not remembered after it. */
  private destroyed = 0;

  constructor(
    private readonly database: Db,
    private readonly clock: Clock,
    private readonly wrapping: KeyWrapping,
  ) {}

  async serviceKey(name: string): Promise<Uint8Array> {
    const key = await this.key('service_keys', name, Infinity);
    if (!key) throw new Error(`the service key ${name} cannot have been destroyed`);
    return key;
  }

  personalKey(subject: string): Promise<Key> {
    return this.key('personal_keys', subject, BELIEVED_MILLISECONDS);
  }

  destroyPersonalKey(subject: string): Promise<void> {
    return answering(async () => {
      await inserted(() => this.keysIn('personal_keys').findOneAndUpdate({ _id: subject }, { $set: { key: null } }, UPSERTED));
      this.destroyed++;
      this.remembered.delete(placeOf('personal_keys', subject));
    });
  }

  take({ kind, name, key }: CarriedKey): Promise<void> {
    return answering(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const place = placeOf(table, name);
      const mine = { key: key && new Binary(this.wrapping.wrap(place, key)) };
      const kept = await inserted(() => this.keysIn(table).findOneAndUpdate({ _id: name }, { $setOnInsert: mine }, UPSERTED));
      const there = kept.key && this.wrapping.unwrap(place, bytesOf(kept.key));
      const same = there && key ? Buffer.compare(there, key) === 0 : there === key;
      if (!same) throw new AnotherKey(`there is another ${kind} key ${kind === 'service' ? name : 'of this person'}`);
    });
  }

  existing(kind: CarriedKey['kind'], name: string): Promise<Key | undefined> {
    return answering(async () => {
      const table = kind === 'service' ? 'service_keys' : 'personal_keys';
      const kept = await this.keysIn(table).findOne({ _id: name });
      if (!kept) return undefined;
      return kept.key && this.wrapping.unwrap(placeOf(table, name), bytesOf(kept.key));
    });
  }

  private async key(table: Table, name: string, believed: number): Promise<Key> {
    const place = placeOf(table, name);
    const known = this.remembered.get(place);
    const asked = this.clock.now().getTime();
    if (known && isBelieved(known.readAt, asked, believed)) return known.key;
    const { destroyed } = this;
    const kept = await answering(() => this.read(table, name));
    if (!kept.key) return null;
    const key = this.wrapping.unwrap(place, bytesOf(kept.key));
    if (destroyed !== this.destroyed) return key;
    if (this.remembered.size >= REMEMBERED) this.remembered.clear();
    this.remembered.set(place, { key, readAt: asked });
    return key;
  }

  /** "Keys are 32 random bytes, made on first asking, durable when answered": the first insert creates the key. */
  private async read(table: Table, name: string): Promise<KeptKey> {
    const keys = this.keysIn(table);
    const found = await keys.findOne({ _id: name });
    if (found) return found;
    const key = new Binary(this.wrapping.wrap(placeOf(table, name), randomBytes(KEY_BYTES)));
    return inserted(() => keys.findOneAndUpdate({ _id: name }, { $setOnInsert: { key } }, UPSERTED));
  }

  private keysIn(table: Table): MongoCollection<KeptKey> {
    return this.database.collection<KeptKey>(table);
  }
}

const UPSERTED = { upsert: true, returnDocument: 'after' } as const;

const placeOf = (table: Table, name: string): string => `${table} ${name}`;
