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
 * The server's codes that speak of its state and not of the command: unreachable or unknown hosts, timeouts, shutdown,
 * elections, a write concern that was not met in time, no disk left.
 */
const OF_THE_SERVER: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 251, 262, 402, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

const OF_THE_CONNECTION = [
  MongoNetworkError,
  MongoSystemError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoExpiredSessionError,
] as const;

/** The driver's words for a pool that was emptied because its server was lost, or that gave no connection in time. */
const OF_THE_POOL: ReadonlySet<string> = new Set([
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
]);

/** A write to a socket that is just breaking reaches the caller as the system's own error, which the driver wraps in nothing. */
const OF_THE_SOCKET: ReadonlySet<unknown> = new Set([
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

/** The driver wraps whatever befalls a bulk write, a lost connection too, in an error that looks like the server's answer. */
const unwrapped = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && (error.errorResponse instanceof Error || OF_THE_SOCKET.has(codeOf(error.errorResponse)))
    ? error.errorResponse
    : error;

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** Whether a whole transaction may be tried again: nothing of it was written. */
export const isTransient = (error: unknown): boolean => hasLabel(error, MongoErrorLabel.TransientTransactionError);

/** Whether nobody knows if a transaction was committed; asking again answers. */
export const isCommitUnknown = (error: unknown): boolean => hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/** Whether no server was found in all the time there was: asking again at once takes as long again. */
export const isGone = (error: unknown): boolean => unwrapped(error) instanceof MongoServerSelectionError;

/** Whether there is such a document already. */
export const isDuplicate = (error: unknown): boolean =>
  (error instanceof MongoServerError || error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;

/** Whether the server's answer carries this code. */
export const isAnswer = (error: unknown, code: number): boolean => error instanceof MongoServerError && error.code === code;

const BAD_VALUE = 2;

/** Whether a command named an index to follow that the collection does not have. */
export const isMissingHint = (error: unknown): boolean =>
  isAnswer(error, BAD_VALUE) && error instanceof Error && error.message.includes('hint provided does not correspond to an existing index');

/** Whether the server or the way to it failed, so that the same call may succeed later. */
const isOfTheServer = (wrapped: unknown): boolean => {
  const error = unwrapped(wrapped);
  if (OF_THE_CONNECTION.some((kind) => error instanceof kind) || OF_THE_SOCKET.has(codeOf(error))) return true;
  if (error instanceof MongoDriverError) return OF_THE_POOL.has(error.name);
  if (isTransient(error) || isCommitUnknown(error) || hasLabel(error, MongoErrorLabel.RetryableWriteError)) return true;
  return error instanceof MongoServerError && OF_THE_SERVER.has(error.code);
};

/** A failure of the server or the connection as the port's StoreUnavailable; anything else as it is. */
export const named = (error: unknown): unknown =>
  isOfTheServer(error) ? new StoreUnavailable(`MongoDB cannot be used now: ${reasonOf(error)}`, { cause: error }) : error;

/** Does what a port asks; "rejects with StoreUnavailable" where the server cannot be used. */
export const answering = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw named(error);
  }
};
