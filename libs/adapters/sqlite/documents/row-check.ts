import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { STORE_FILE, type Database } from '../folder/database.js';

/** The row of a document as SQLite returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The column of a row's checksum. It is NULL in rows that an earlier version of the software wrote. */
export const CHECK = 'crc';

/** Represents a missing value, which must differ from an empty text. */
const NONE = '\0';

/** The values that the checksum covers. */
type CheckedParts = { readonly key: unknown; readonly json: unknown; readonly revision: unknown; readonly fields: Row };

/**
 * Returns the checksum of a document's row. It detects damage by a disk, but no deliberate change, which can
 * change the checksum, too.
 */
export const checkOf = (fieldNames: readonly string[], { key, json, revision, fields }: CheckedParts): number => {
  // One join is a third faster than repeated concatenation. A rebuild computes the checksum of every row.
  const values = [json, key, revision];
  for (const name of fieldNames) values.push(fields[name] ?? NONE);
  return crc32(values.join('\n'));
};

/**
 * Returns whether a row differs from what was written. Without a checksum, only the types of its values are
 * checked.
 */
export const isDamaged = (fieldNames: readonly string[], row: Row): boolean => {
  const { key, json, revision, [CHECK]: check } = row;
  if (typeof key !== 'string' || typeof json !== 'string') return true;
  if (check === null) return Object.values(row).some(isUnsafe);
  return Number(check) !== checkOf(fieldNames, { key, json, revision, fields: row });
};

const isUnsafe = (value: unknown): boolean => typeof value === 'bigint' && !Number.isSafeInteger(Number(value));

/**
 * Reads rows that may be damaged. Node throws on an integer beyond 2^53; the rows are then read with bigints.
 */
export const rowsOf = (database: Database, sql: string, values: readonly SQLInputValue[]): readonly Row[] => {
  try {
    return database.statement(sql).all(...values);
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_OUT_OF_RANGE') throw error;
    const exact = database.connection.prepare(sql);
    exact.setReadBigInts(true);
    return exact.all(...values);
  }
};

/**
 * Creates the error for a damaged row, with the remedy. `isRebuilt` is whether a projection fills the table,
 * so that it can be rebuilt.
 */
export const damagedRow = (table: string, key: unknown, isRebuilt: boolean): StoreUnavailable =>
  new StoreUnavailable(
    `the row ${JSON.stringify(String(key))} of ${table} in ${STORE_FILE} is damaged: ` +
      (isRebuilt
        ? 'stop the service and run `petstore projections rebuild`'
        : 'restore a backup, because this table cannot be rebuilt from the log'),
  );
