import { Binary, type Collection as MongoCollection, type Db } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { insertOrRead } from '../connection/failures.js';
import { noWrapping, wrapWith, type KeyWrapping } from './wrapping.js';

/** The key-encryption keys of a process. Without `current`, keys are stored in plain text. */
export type KeyEncryptionKeys = {
  readonly current?: Uint8Array;
  /** The former key, while the key-encryption key changes (contract 31.4). */
  readonly previous?: Uint8Array;
};

/**
 * The record that shows whether keys are stored wrapped, and with which key-encryption key. `sealed` is a wrapped random
 * text, which only the right key-encryption key can unwrap. That key-encryption key also wraps new keys.
 */
export type SealRecord = { readonly _id: 'seal'; readonly wrapped: boolean; readonly sealed: Binary };

const SEAL = 'seal';
const SEAL_BYTES = 32;

/** Thrown when the key-encryption key is missing, unexpected or wrong. */
export class WrongWrappingKey extends Error {
  override readonly name = 'WrongWrappingKey';
}

/**
 * Wraps (encrypts) the keys of a vault with the key-encryption key. While the key-encryption key changes, unwraps keys with
 * the current or the previous one.
 */
export class Seal {
  private readonly current: KeyWrapping;
  private readonly previous: KeyWrapping | undefined;

  private constructor(
    private readonly seals: MongoCollection<SealRecord>,
    private readonly keys: KeyEncryptionKeys,
  ) {
    this.current = keys.current ? wrapWith(keys.current) : noWrapping;
    this.previous = keys.previous && wrapWith(keys.previous);
  }

  /**
   * Opens the seal, which the first process of a store creates. Rejects with WrongWrappingKey if no key-encryption key of this
   * process unwraps the seal. Also rejects if this process has a key-encryption key although keys are stored in plain text.
   */
  static async open(database: Db, keys: KeyEncryptionKeys): Promise<Seal> {
    const seal = new Seal(database.collection<SealRecord>('key_seal'), keys);
    const wrapped = keys.current !== undefined;
    const mine = { wrapped, sealed: seal.newSealed() };
    const record = await insertOrRead<SealRecord>(() =>
      seal.seals.findOneAndUpdate({ _id: SEAL }, { $setOnInsert: mine }, { upsert: true, returnDocument: 'after' }),
    );
    if (record.wrapped && !wrapped) throw new WrongWrappingKey('the keys are wrapped with a key-encryption key, but none is configured');
    if (!record.wrapped && wrapped) throw new WrongWrappingKey('a key-encryption key is configured, but the keys are stored without one');
    seal.wrappingOf(record);
    return seal;
  }

  /** Whether the key-encryption key is changing: this process has the current and the previous one. */
  get isChanging(): boolean {
    return this.previous !== undefined;
  }

  /**
   * Wraps a key with the key-encryption key that wraps the seal, because every process has that one. While the key-encryption
   * key changes, some processes may not have the new one yet.
   */
  async wrap(location: string, key: Uint8Array): Promise<Binary> {
    return new Binary((await this.active()).wrap(location, key));
  }

  /** Unwraps a key with the current or the previous key-encryption key. Throws WrongWrappingKey if neither unwraps it. */
  unwrap(location: string, stored: Binary): Uint8Array {
    const key = this.unwrapWith(this.current, location, stored) ?? this.unwrapWith(this.previous, location, stored);
    if (key) return key;
    const [table = 'keys'] = location.split(' ');
    throw new WrongWrappingKey(`a key in ${table} is wrapped with another key-encryption key than the configured one, or was altered`);
  }

  /**
   * Wraps a stored key again, with the current key-encryption key. Returns null if the stored key is already wrapped with the
   * current one. Throws WrongWrappingKey if neither the current nor the previous key-encryption key unwraps the stored key.
   */
  rewrap(location: string, stored: Binary): Binary | null {
    if (this.unwrapWith(this.current, location, stored)) return null;
    return new Binary(this.current.wrap(location, this.unwrap(location, stored)));
  }

  /** Returns whether new keys are wrapped with the current key-encryption key. */
  async isCurrent(): Promise<boolean> {
    return (await this.active()) === this.current;
  }

  /** Wraps the seal with the current key-encryption key. From then on, all processes wrap new keys with that one. */
  async change(): Promise<void> {
    const record = await this.read();
    if (this.wrappingOf(record) === this.current) return;
    await this.seals.updateOne({ _id: SEAL, sealed: record.sealed }, { $set: { sealed: this.newSealed() } });
  }

  private newSealed(): Binary {
    return new Binary(this.current.wrap(SEAL, randomBytes(SEAL_BYTES)));
  }

  /**
   * Returns the wrapping for new keys. If this process has two key-encryption keys, reads the seal, which another process may
   * have changed.
   */
  private async active(): Promise<KeyWrapping> {
    return this.previous ? this.wrappingOf(await this.read()) : this.current;
  }

  private async read(): Promise<SealRecord> {
    const record = await this.seals.findOne({ _id: SEAL });
    if (!record) throw new WrongWrappingKey('the record of the key-encryption key is missing from the database');
    return record;
  }

  private wrappingOf({ sealed }: SealRecord): KeyWrapping {
    if (this.unwrapWith(this.current, SEAL, sealed)) return this.current;
    if (this.previous && this.unwrapWith(this.previous, SEAL, sealed)) return this.previous;
    throw new WrongWrappingKey(
      this.keys.previous
        ? 'the keys are wrapped with neither the key-encryption key nor the previous one'
        : 'the key-encryption key is not the one that wraps the keys',
    );
  }

  private unwrapWith(wrapping: KeyWrapping | undefined, location: string, stored: Binary): Uint8Array | null {
    try {
      return wrapping?.unwrap(location, bytesOf(stored)) ?? null;
    } catch {
      // AES-GCM fails with the same error for a wrong key, a wrong location and an altered ciphertext.
      return null;
    }
  }
}

/** The buffer of a Binary may be longer than its content. */
const bytesOf = (binary: Binary): Uint8Array => binary.buffer.subarray(0, binary.position);
