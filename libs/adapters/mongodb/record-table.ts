import type { Collection as MongoCollection, Db } from 'mongodb';
import { answering, isDuplicate } from './failures.js';

/** Facts that are written down once and never changed, by key; all processes share them. Calls reject with StoreUnavailable. */
export type RecordTable<T extends object> = {
  /** Writes it down unless the key has a record; answers the one that counts. Durable when it answers. */
  recordOnce(key: string, record: T): Promise<T>;
  get(key: string): Promise<T | null>;
  /** Every record, in the order of their keys. */
  all(): Promise<readonly T[]>;
};

type Kept<T> = { readonly _id: string; readonly record: T };

/** The table of that name. */
export const recordTable = <T extends object>(database: Db, name: string): RecordTable<T> => {
  const records: MongoCollection<Kept<object>> = database.collection(name);
  const get = async (key: string): Promise<T | null> => ((await records.findOne({ _id: key })) as Kept<T> | null)?.record ?? null;
  return {
    get: (key) => answering(() => get(key)),
    all: () => answering(async () => (await records.find({}, { sort: { _id: 1 } }).toArray()).map(({ record }) => record as T)),
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
