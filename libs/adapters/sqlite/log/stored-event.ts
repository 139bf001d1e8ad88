import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';

/** One shape for all events, made by hand: a row's own has no prototype. */
export const storedEventOf = (row: Record<string, unknown>): StoredEvent => {
  const { position, stream, revision, id, type, data, metadata } = row as StoredEvent;
  return { position, stream, revision, id, type, data, metadata };
};
