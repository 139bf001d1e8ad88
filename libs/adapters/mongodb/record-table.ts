import type { Collection as MongoCollection, Db } from 'mongodb';
import { answering, isDuplicate } from './connection/failures.js';

/**
 * Facts that are written down once and never changed, by key; all processes share them. Calls reject with
 * StoreUnavailable.
 */
export type RecordTable<T extends object> = {
  /** Writes it down unless the key has a record; answers the one that counts. Durable when it answers. */
  recordOnce(key: string, record: T): Promise<T>;
  get(key: string): Promise<T | null>;
  /** Every record, in the order of their keys. */
  all(): Promise<readonly T[]>;
  /** Records in the order of their keys, from behind one key to before another, at most `limit`. */
  between(after: string, before: string, limit: number): Promise<readonly { readonly key: string; readonly record: T }[]>;
  /** Whether any record has that text in that field; the first call of a process makes the index for it. */
  hasRecord(field: keyof T & string, text: string): Promise<boolean>;
  remove(keys: readonly string[]): Promise<void>;
};

type Kept<T> = { readonly _id: string; readonly record: T };

/** The table of that name. */
export const recordTable = <T extends object>(database: Db, name: string): RecordTable<T> => {
  const records: MongoCollection<Kept<object>> = database.collection(name);
  const indexed: Record<string, Promise<unknown>> = {};
  const get = async (key: string): Promise<T | null> => ((await records.findOne({ _id: key })) as Kept<T> | null)?.record ?? null;
  return {
    get: (key) => answering(() => get(key)),
    all: () => answering(async () => (await records.find({}, { sort: { _id: 1 } }).toArray()).map(({ record }) => record as T)),
    between: (after, before, limit) =>
      answering(async () => {
        const found = await records.find({ _id: { $gt: after, $lt: before } }, { sort: { _id: 1 }, limit }).toArray();
        return found.map(({ _id, record }) => ({ key: _id, record: record as T }));
      }),
    hasRecord: (field, text) =>
      answering(async () => {
        await (indexed[field] ??= records.createIndex({ [`record.${field}`]: 1 }).catch((error: unknown) => {
          delete indexed[field];
          throw error;
        }));
        return (await records.findOne({ [`record.${field}`]: text }, { projection: { _id: 1 } })) !== null;
      }),
    remove: (keys) => answering(async () => void (await records.deleteMany({ _id: { $in: [...keys] } }))),
    recordOnce: (key, record) =>
      answering(async () => {
        try {
          await records.insertOne({ _id: key, record });
          return record;
        } catch (error) {
          const first = isDuplicate(error) ? await get(key) : null;
          if (!first) throw error;
          return first;
        }
      }),
  };
};
