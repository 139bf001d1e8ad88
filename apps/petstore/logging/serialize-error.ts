import { pino } from 'pino';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';

/**
 * Serializes an error for the log. StoreUnavailable is expected while a server starts, elects a leader or is down: its message
 * says what failed, and a stack would look like a bug.
 */
export const serializeError = (error: unknown): unknown =>
  error instanceof StoreUnavailable ? { type: error.name, message: error.message } : pino.stdSerializers.err(error as Error);
