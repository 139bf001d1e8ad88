import type { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Faults } from './faults.js';

/** The state behind the services of the protocol. */
export type Backing = {
  readonly store: EventStore;
  /** The position of the store's last event. */
  readonly head: () => number;
  readonly faults: Faults;
  /** The streams and event ids of unacknowledged appends. */
  readonly inFlight: Set<string>;
  /** Breaks every connection, as an unplugged cable would. */
  readonly cutConnections: () => void;
  /** Subscriptions to end when the server drops them. */
  readonly subscriptions: Set<AbortController>;
};
