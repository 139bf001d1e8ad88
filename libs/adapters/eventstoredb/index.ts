export { openEventStore, type EventStoreDb } from './event-store.js';
