import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** Wraps an error as StoreUnavailable. */
export const toStoreUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`Kafka is unavailable: ${reasonOf(error)}`, { cause: error });

/**
 * The broker errors that `isFenced` detects. INVALID_PRODUCER_EPOCH means that a newer producer uses the same transactional id,
 * or that the transaction timed out. INVALID_PRODUCER_ID_MAPPING means that the id has expired at the brokers.
 * PRODUCER_FENCED is not listed, because brokers send it only in a protocol version that kafkajs does not use.
 */
const FENCED = ['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING'] as const;

/**
 * Returns whether an error means that a newer producer has fenced this producer, or that its transaction or its id has
 * expired.
 */
export const isFenced = (error: unknown): boolean => FENCED.some((type) => hasErrorType(error, type));

/** Returns whether an error, or one of its causes, is this broker error. kafkajs may wrap the broker's error several times. */
export const hasErrorType = (error: unknown, type: string): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('type' in error && error.type === type) || ('cause' in error && hasErrorType(error.cause, type));
};
