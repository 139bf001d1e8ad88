import type { DomainEvent } from '../events.js';
export type Known = DomainEvent;
