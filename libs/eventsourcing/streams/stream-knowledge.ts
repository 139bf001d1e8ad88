import { NO_FAULTS, type StreamFaultLookup } from '../history.js';
import { NO_SNAPSHOTS, type Snapshots } from './snapshots.js';
import type { StoredEvent } from '../ports/event-store.port.js';

/**
 * Which processes write to the log. If only this process writes, its cache of a stream is current. If many processes
 * write, the cache may lack events that other processes have appended.
 */
export type Writers = 'this process' | 'many processes';

/** The events of a stream that this process has observed. */
export type ObservedEvents = {
  /** The events from the requested revision on, without a gap. Empty if none was observed. */
  readonly events: readonly StoredEvent[];
  /** This process knows every event of the stream up to this position of the log. 0 if no such position is known. */
  readonly upTo: number;
};

/** Returns the observed events of a stream from a revision on. */
export type ReadObservedEvents = (stream: string, from: number) => ObservedEvents;

/** What a process knows about streams in addition to the log. */
export type StreamKnowledge = {
  readonly faults: StreamFaultLookup;
  /**
   * Returns the last revision of a stream that a read model contains, or -1 if there is none. If the stream in the log ends
   * before this revision, the log has lost events.
   */
  readonly readModelRevision: (stream: string) => Promise<number>;
  readonly snapshots: Snapshots;
  /** Returns whether a read model has folded a stream with other skipped events before. */
  readonly isRefolded: (projection: string, stream: string) => boolean;
};

/** The knowledge of a process without read models. */
export const NO_KNOWLEDGE: StreamKnowledge = {
  faults: NO_FAULTS,
  readModelRevision: async () => -1,
  snapshots: NO_SNAPSHOTS,
  isRefolded: () => false,
};
