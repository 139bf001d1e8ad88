import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** The port's name for servers that cannot be used now. */
export const unavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`Kafka cannot be used now: ${reasonOf(error)}`, { cause: error });

/**
 * The brokers' words for "there is a newer producer of this transactional id, or your transaction took too long":
 * INVALID_PRODUCER_EPOCH, and INVALID_PRODUCER_ID_MAPPING once the id was forgotten. The newer PRODUCER_FENCED is said only
 * to clients of newer protocol versions than kafkajs speaks.
 */
const FENCED: ReadonlySet<unknown> = new Set(['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING']);

/** Whether a newer producer of the same name has begun. kafkajs wraps what the broker said, at times more than once. */
export const isFenced = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  return ('type' in error && FENCED.has(error.type)) || ('cause' in error && isFenced(error.cause));
};
