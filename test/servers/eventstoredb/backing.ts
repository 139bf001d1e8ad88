import type { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Faults } from './faults.js';

/** The state that the services of the protocol share. */
export type Backing = {
  readonly store: EventStore;
  /** The position of the store's last event. */
  readonly head: () => number;
  readonly faults: Faults;
  /** One text for each unacknowledged append: its stream and the ids of its events. */
  readonly inFlight: Set<string>;
  /** Breaks every connection, as an unplugged cable would. */
  readonly cutConnections: () => void;
  /** One controller for each running subscription. An abort ends that subscription. */
  readonly subscriptions: Set<AbortController>;
};
