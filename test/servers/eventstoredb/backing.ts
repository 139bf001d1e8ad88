import type { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Faults } from './faults.js';

/** What the services of the protocol stand on. */
export type Backing = {
  readonly store: EventStore;
  /** The position of the store's last event. */
  readonly head: () => number;
  readonly faults: Faults;
  /** The appends that are not acknowledged yet: their streams and event ids. */
  readonly inFlight: Set<string>;
  /** Breaks every connection, as a cable pulled would. */
  readonly cutConnections: () => void;
  /** Calls that are to be ended when the server drops its subscriptions. */
  readonly subscriptions: Set<AbortController>;
};
