import { NO_FAULTS, type StreamFaultLookup } from './history.js';
import type { StoredEvent } from './ports/event-store.port.js';

/**
 * Which processes write to the log. If it is only this process, its cache of a stream is current. Otherwise
 * every command first reads the events that were added since.
 */
export type Writers = 'this process' | 'many processes';

/** The events of a stream that this process has observed. */
export type ObservedEvents = {
  /** The events from the requested revision on, without a gap. Empty if none was observed. */
  readonly events: readonly StoredEvent[];
  /** No event of the stream is missing up to this position of the log. 0 if that is unknown. */
  readonly upTo: number;
};

/** Returns the observed events of a stream from a revision on. */
export type ReadObservedEvents = (stream: string, from: number) => ObservedEvents;

/** What a process knows about streams in addition to the log. */
export type StreamKnowledge = {
  readonly faults: StreamFaultLookup;
  /**
   * Returns the revision that a read model shows of a stream, -1 if none. A log that ends earlier has lost
   * events.
   */
  readonly readModelRevision: (stream: string) => Promise<number>;
};

/** The knowledge of a process without read models. */
export const NO_KNOWLEDGE: StreamKnowledge = { faults: NO_FAULTS, readModelRevision: async () => -1 };
