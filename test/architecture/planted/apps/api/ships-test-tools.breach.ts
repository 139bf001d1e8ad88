import { seen } from '../../libs/eventsourcing/testing/specification.js';
export const shipped = seen;
