import { crc32 } from 'node:zlib';

/** The row of a document as SQLite returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The column of a row's checksum. It is NULL in rows that an earlier version of the software wrote. */
export const CHECK = 'crc';

/** The checksum uses this text for a missing value. Otherwise a missing value and an empty text would have the same checksum. */
const NONE = '\0';

/** The values that the checksum covers. */
type CheckedContent = { readonly key: unknown; readonly json: unknown; readonly revision: unknown; readonly fields: Row };

/**
 * Returns the checksum of a document's row. It detects damage by a disk. It does not detect a deliberate change, because
 * such a change can replace the checksum, too.
 */
export const checkOf = (fieldNames: readonly string[], { key, json, revision, fields }: CheckedContent): number => {
  // One join is a third faster than repeated concatenation. This matters in a rebuild, which computes a checksum for every row.
  const values = [json, key, revision];
  for (const name of fieldNames) values.push(fields[name] ?? NONE);
  return crc32(values.join('\n'));
};

/**
 * Returns whether a row differs from what the service has written. In a row without a checksum, checks only the types of key
 * and JSON, and the size of integers.
 */
export const isDamaged = (fieldNames: readonly string[], row: Row): boolean => {
  const { key, json, revision, [CHECK]: check } = row;
  if (typeof key !== 'string' || typeof json !== 'string') return true;
  if (check === null) return Object.values(row).some(isUnsafe);
  return Number(check) !== checkOf(fieldNames, { key, json, revision, fields: row });
};

/** Returns whether a value is an integer beyond 2^53. The service writes no such integer. */
const isUnsafe = (value: unknown): boolean => typeof value === 'bigint' && !Number.isSafeInteger(Number(value));
