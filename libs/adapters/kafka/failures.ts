import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** Wraps an error as StoreUnavailable. */
export const toStoreUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`Kafka is unavailable: ${reasonOf(error)}`, { cause: error });

/**
 * Error types of a broker for a transactional id with a newer producer, or with a timed-out transaction:
 * INVALID_PRODUCER_EPOCH, and INVALID_PRODUCER_ID_MAPPING after the id has expired.
 * PRODUCER_FENCED needs a newer protocol version than kafkajs speaks.
 */
const FENCED: ReadonlySet<unknown> = new Set(['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);

/**
 * Returns whether a newer producer with the same name exists. kafkajs may wrap the broker's error several
 * times.
 */
export const isFenced = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('type' in error && FENCED.has(error.type)) || ('cause' in error && isFenced(error.cause));
};
