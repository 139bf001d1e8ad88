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
const FENCED: ReadonlySet<unknown> = new Set(['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);

/**
 * Returns whether an error means that a newer producer has fenced this producer, or that its transaction or its id has
 * expired. kafkajs may wrap the broker's error several times.
 */
export const isFenced = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('type' in error && FENCED.has(error.type)) || ('cause' in error && isFenced(error.cause));
};
