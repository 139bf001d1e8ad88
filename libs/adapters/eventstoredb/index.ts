export { openEventStore, type EventStoreDb, type EventStoreOptions } from './event-store.js';
export type { Log } from './log-lines.js';
