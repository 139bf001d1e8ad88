import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/**
 * SQLite's result codes that speak of the machine and not of the statement: no permission, busy, locked, out of memory,
 * read-only, interrupted, input or output failed, damaged, full, cannot open, protocol, not a database.
 */
const OF_THE_MACHINE: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26]);

/** Extended result codes carry the plain one in their lowest byte. */
const PLAIN_CODE = 0xff;

/** Whether the disk, the file or the connection failed, so that the same call may succeed later. */
export const isStorageFailure = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  if ('errcode' in error) return OF_THE_MACHINE.has(Number(error.errcode) & PLAIN_CODE);
  // What node:sqlite says of a database that was closed.
  return 'code' in error && error.code === 'ERR_INVALID_STATE';
};

/** Busy and locked: another connection has what this one wants. */
const OF_OTHERS: ReadonlySet<number> = new Set([5, 6]);

/** Whether a database is refused only because another connection has it now. */
export const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && OF_OTHERS.has(Number(error.errcode) & PLAIN_CODE);

const FULL = 13;

/** Whether the disk has no more room, as SQLite or as the system says it. */
export const isFull = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('errcode' in error && (Number(error.errcode) & PLAIN_CODE) === FULL) || ('code' in error && error.code === 'ENOSPC'));

/** Whether SQLite refused a statement or a file. */
export const isSqliteFailure = (error: unknown): boolean => typeof error === 'object' && error !== null && 'errcode' in error;

/** The port's name for a store that cannot be used now. */
export const unavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`the store cannot be used now: ${reasonOf(error)}`, { cause: error });

/** Does synchronous work for a port whose answers are promises; a storage failure becomes StoreUnavailable. */
export const promised = <T>(work: () => T): Promise<T> => {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(isStorageFailure(error) ? unavailable(error) : (error as Error));
  }
};
