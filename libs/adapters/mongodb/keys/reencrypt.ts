import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { KEY_TABLES, locationOf, type KeyRecord, type KeyTable } from './key-record.js';
import { WrongWrappingKey, type Seal } from './seal.js';

/** Number of keys that are written at a time. */
const BATCH = 1_000;

/** How a re-encryption is observed and stopped. */
export type ReencryptOptions = {
  /** Called before each pass over all keys, with the number of keys. */
  readonly onPass: (keys: number) => void;
  /** Called with the number of keys that the current pass has read. */
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
};

/**
 * The result of a re-encryption. `rewrapped` is the number of changed keys in all passes, and `keys` the number of keys in
 * the last pass. `isComplete` is true if the last pass found every key wrapped with the current key-encryption key. After an
 * abort, it is false.
 */
export type ReencryptResult = { readonly keys: number; readonly rewrapped: number; readonly isComplete: boolean };

type Pass = { readonly keys: number; readonly rewrapped: number; readonly unreadable: number };

/**
 * Wraps every key with the current key-encryption key (contract 31.4). After an interruption, another call continues.
 * A call passes over all keys again and again, until a pass finds every key wrapped with the current key-encryption key.
 * Rejects with WrongWrappingKey if a key is wrapped with neither the current nor the previous key-encryption key.
 */
export const reencryptKeys = async (database: Db, seal: Seal, options: ReencryptOptions): Promise<ReencryptResult> => {
  // From now on, all processes wrap new keys with the current key-encryption key. Only a process that began to store
  // a key before the change may still use the previous key-encryption key.
  await seal.change();
  let rewrapped = 0;
  for (;;) {
    options.onPass(await countKeys(database));
    const pass = await rewrapKeys(database, seal, options);
    rewrapped += pass.rewrapped;
    if (options.signal.aborted) return { keys: pass.keys, rewrapped, isComplete: false };
    if (pass.unreadable > 0)
      throw new WrongWrappingKey(
        `${pass.unreadable} of ${pass.keys} keys are wrapped with neither the key-encryption key nor the previous one, or were altered`,
      );
    if (pass.rewrapped === 0) return { keys: pass.keys, rewrapped, isComplete: true };
  }
};

const countKeys = async (database: Db): Promise<number> => {
  const counts = await Promise.all(KEY_TABLES.map((table) => database.collection<KeyRecord>(table).countDocuments({ key: { $ne: null } })));
  return counts.reduce((sum, count) => sum + count, 0);
};

const rewrapKeys = async (database: Db, seal: Seal, { onProgress, signal }: ReencryptOptions): Promise<Pass> => {
  let pass: Pass = { keys: 0, rewrapped: 0, unreadable: 0 };
  for (const table of KEY_TABLES) {
    const keys = database.collection<KeyRecord>(table);
    const read = keys.find({ key: { $ne: null } }, { sort: { _id: 1 }, batchSize: BATCH });
    let batch: KeyRecord[] = [];
    const write = async (): Promise<void> => {
      const { updates, unreadable } = updatesOf(table, batch, seal);
      const changed = updates.length > 0 ? (await keys.bulkWrite(updates, { ordered: false })).modifiedCount : 0;
      pass = { keys: pass.keys + batch.length, rewrapped: pass.rewrapped + changed, unreadable: pass.unreadable + unreadable };
      batch = [];
      onProgress(pass.keys);
    };
    for await (const record of read) {
      if (batch.push(record) === BATCH) await write();
      if (signal.aborted) break;
    }
    await write();
  }
  return pass;
};

/** Returns an update for each key that is not wrapped with the current key-encryption key, and the number of unreadable keys. */
const updatesOf = (table: KeyTable, batch: readonly KeyRecord[], seal: Seal) => {
  const updates: AnyBulkWriteOperation<KeyRecord>[] = [];
  let unreadable = 0;
  for (const { _id, key } of batch) {
    try {
      const renewed = key && seal.rewrap(locationOf(table, _id), key);
      // The filter matches only the key that was read. So a key that was destroyed meanwhile stays destroyed.
      if (renewed) updates.push({ updateOne: { filter: { _id, key }, update: { $set: { key: renewed } } } });
    } catch (error) {
      if (!(error instanceof WrongWrappingKey)) throw error;
      unreadable++;
    }
  }
  return { updates, unreadable };
};
