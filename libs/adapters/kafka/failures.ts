import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** Wraps an error as StoreUnavailable. */
export const toStoreUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`Kafka is unavailable: ${reasonOf(error)}`, { cause: error });

/**
 * The error types of a broker when a newer producer uses the same transactional id, or the transaction timed out:
 * INVALID_PRODUCER_EPOCH, or INVALID_PRODUCER_ID_MAPPING after the id has expired. Brokers do not send PRODUCER_FENCED
 * to kafkajs, because it needs a newer protocol version.
 */
const FENCED: ReadonlySet<unknown> = new Set(['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);

/**
 * Returns whether a newer producer has fenced this one. kafkajs may wrap the broker's error several times.
 */
export const isFenced = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('type' in error && FENCED.has(error.type)) || ('cause' in error && isFenced(error.cause));
};
