import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** Wraps an error as StoreUnavailable. */
export const toStoreUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`Kafka is unavailable: ${reasonOf(error)}`, { cause: error });

/**
 * The error types that mean that a newer producer uses the same transactional id, or that the transaction
 * timed out. After the id has expired, brokers send INVALID_PRODUCER_ID_MAPPING. They send PRODUCER_FENCED
 * only in a protocol version that kafkajs does not use.
 */
const FENCED: ReadonlySet<unknown> = new Set(['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);

/**
 * Returns whether a newer producer has fenced this one. kafkajs may wrap the broker's error several times.
 */
export const isFenced = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('type' in error && FENCED.has(error.type)) || ('cause' in error && isFenced(error.cause));
};
