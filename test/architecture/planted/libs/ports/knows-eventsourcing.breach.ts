import type { Clock } from '../eventsourcing/clock.port.js';
export type Known = Clock;
