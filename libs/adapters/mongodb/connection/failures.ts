import {
  MongoBulkWriteError,
  MongoDriverError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';

/**
 * Error codes of failures that are not caused by the command: unreachable or unknown hosts, timeouts,
 * shutdown, elections, a write concern that was not met in time, and a full disk.
 */
const SERVER_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 251, 262, 402, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

const CONNECTION_ERRORS = [
  MongoNetworkError,
  MongoSystemError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoExpiredSessionError,
] as const;

/**
 * The driver's errors for a connection pool that lost its server, or had no free connection in time.
 */
const POOL_ERRORS: ReadonlySet<string> = new Set([
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
]);

/** Error codes of the operating system. When a socket breaks during a write, the driver throws such an error unwrapped. */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);

const DUPLICATE_KEY = 11_000;

/**
 * Returns the original error of a failed bulk write, and any other error unchanged. If a bulk write loses the connection, the
 * driver wraps the connection's error as if the server had responded with it.
 */
const unwrap = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && (error.errorResponse instanceof Error || SOCKET_CODES.has(codeOf(error.errorResponse)))
    ? error.errorResponse
    : error;

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** Returns whether a whole transaction may be retried, because nothing of it was written. */
export const isTransient = (error: unknown): boolean => hasLabel(error, MongoErrorLabel.TransientTransactionError);

/** Returns whether the outcome of a commit is unknown. Repeating the commit returns its outcome. */
export const isCommitUnknown = (error: unknown): boolean => hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/** Returns whether server selection timed out. An immediate retry would take as long again. */
export const isServerSelectionTimeout = (error: unknown): boolean => unwrap(error) instanceof MongoServerSelectionError;

/** Returns whether a write failed because another document already has the same key. */
export const isDuplicate = (error: unknown): boolean =>
  (error instanceof MongoServerError || error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;

/** Returns whether the server responded with this error code. */
export const hasServerCode = (error: unknown, code: number): boolean => error instanceof MongoServerError && error.code === code;

const BAD_VALUE = 2;

/** Returns whether a command's hint names an index that the collection does not have. */
export const isMissingHint = (error: unknown): boolean =>
  hasServerCode(error, BAD_VALUE) &&
  error instanceof Error &&
  error.message.includes('hint provided does not correspond to an existing index');

/** Returns whether the server or the connection failed, so that the same call may succeed later. */
const isUnavailable = (wrapped: unknown): boolean => {
  const error = unwrap(wrapped);
  if (CONNECTION_ERRORS.some((kind) => error instanceof kind) || SOCKET_CODES.has(codeOf(error))) return true;
  if (error instanceof MongoDriverError) return POOL_ERRORS.has(error.name);
  if (isTransient(error) || isCommitUnknown(error) || hasLabel(error, MongoErrorLabel.RetryableWriteError)) return true;
  return error instanceof MongoServerError && SERVER_CODES.has(error.code);
};

/** Converts a failure of the server or the connection to StoreUnavailable. Other errors are not changed. */
export const toPortError = (error: unknown): unknown =>
  isUnavailable(error) ? new StoreUnavailable(`MongoDB is unavailable: ${reasonOf(error)}`, { cause: error }) : error;

/** Runs a port's operation, and rejects with StoreUnavailable when the server is unavailable. */
export const withPortErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw toPortError(error);
  }
};

/**
 * Repeats an upsert until it returns the record. If two processes insert a record at the same time, one insert fails. The
 * repeated upsert then finds the record.
 */
export const insertOrRead = async <T>(insert: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    try {
      const record = await insert();
      if (record) return record;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
};
