export { openEventStore, type EventStoreDb, type EventStoreOptions } from './event-store.js';
