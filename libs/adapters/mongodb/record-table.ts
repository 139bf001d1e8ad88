import type { Collection as MongoCollection, Db } from 'mongodb';
import { withPortErrors, isDuplicate } from './connection/failures.js';

/** Write-once records by key, shared by all processes. Calls reject with StoreUnavailable when MongoDB is unavailable. */
export type RecordTable<T extends object> = {
  /** Writes the record unless the key exists, and returns the stored record. The record is durable when the call resolves. */
  recordOnce(key: string, record: T): Promise<T>;
  get(key: string): Promise<T | null>;
  /** Returns at most `limit` records, sorted by key. Both bounds are exclusive. */
  between(after: string, before: string, limit: number): Promise<readonly { readonly key: string; readonly record: T }[]>;
  /**
   * Returns whether any record has the value `text` in this field. The first call for a field in a process creates the
   * index of that field.
   */
  hasRecord(field: keyof T & string, text: string): Promise<boolean>;
  remove(keys: readonly string[]): Promise<void>;
};

type StoredRecord<T> = { readonly _id: string; readonly record: T };

/** Returns the table with this name. */
export const recordTable = <T extends object>(database: Db, name: string): RecordTable<T> => {
  const records: MongoCollection<StoredRecord<object>> = database.collection(name);
  const indexed: Record<string, Promise<unknown>> = {};
  const get = async (key: string): Promise<T | null> => ((await records.findOne({ _id: key })) as StoredRecord<T> | null)?.record ?? null;
  return {
    get: (key) => withPortErrors(() => get(key)),
    between: (after, before, limit) =>
      withPortErrors(async () => {
        const found = await records.find({ _id: { $gt: after, $lt: before } }, { sort: { _id: 1 }, limit }).toArray();
        return found.map(({ _id, record }) => ({ key: _id, record: record as T }));
      }),
    hasRecord: (field, text) =>
      withPortErrors(async () => {
        await (indexed[field] ??= records.createIndex({ [`record.${field}`]: 1 }).catch((error: unknown) => {
          delete indexed[field];
          throw error;
        }));
        return (await records.findOne({ [`record.${field}`]: text }, { projection: { _id: 1 } })) !== null;
      }),
    remove: (keys) => withPortErrors(async () => void (await records.deleteMany({ _id: { $in: [...keys] } }))),
    recordOnce: (key, record) =>
      withPortErrors(async () => {
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
