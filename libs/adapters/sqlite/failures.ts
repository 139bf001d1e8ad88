import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/**
 * SQLite result codes of errors that the statement did not cause: no permission, busy, locked, out of memory,
 * read-only, interrupted, I/O error, corrupt, full, cannot open, protocol error, not a database.
 */
const STORAGE_CODES: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26]);

/** Extended result codes have the primary code in their lowest byte. */
const PRIMARY_CODE_MASK = 0xff;

/** Returns whether the disk, the file or the connection failed. In that case, the same call may succeed later. */
export const isStorageFailure = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  if ('errcode' in error) return STORAGE_CODES.has(Number(error.errcode) & PRIMARY_CODE_MASK);
  // node:sqlite throws this code when the database is closed.
  return 'code' in error && error.code === 'ERR_INVALID_STATE';
};

/** The result codes busy and locked: another connection has locked the database. */
const LOCK_CODES: ReadonlySet<number> = new Set([5, 6]);

/** Returns whether a statement failed because another connection has locked the database. */
export const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && LOCK_CODES.has(Number(error.errcode) & PRIMARY_CODE_MASK);

/** SQLite's result code for a full disk. */
const FULL = 13;

/** Returns whether an error of SQLite or of the operating system means that the disk is full. */
export const isFull = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('errcode' in error && (Number(error.errcode) & PRIMARY_CODE_MASK) === FULL) || ('code' in error && error.code === 'ENOSPC'));

/** Returns whether SQLite threw the error. */
export const isSqliteFailure = (error: unknown): boolean => typeof error === 'object' && error !== null && 'errcode' in error;

/** Wraps an error as StoreUnavailable. Returns a StoreUnavailable unchanged. */
export const toStoreUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`the store is unavailable: ${reasonOf(error)}`, { cause: error });

/** Runs work and returns its result as a promise. A storage failure of its synchronous part rejects with StoreUnavailable. */
export const runAsPromise = <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(isStorageFailure(error) ? toStoreUnavailable(error) : (error as Error));
  }
};
