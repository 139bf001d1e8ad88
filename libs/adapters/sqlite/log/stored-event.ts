import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';

/** Creates all events with the same shape, for speed: SQLite's row objects have no prototype. */
export const storedEventOf = (row: Record<string, unknown>): StoredEvent => {
  const { position, stream, revision, id, type, data, metadata } = row as StoredEvent;
  return { position, stream, revision, id, type, data, metadata };
};
