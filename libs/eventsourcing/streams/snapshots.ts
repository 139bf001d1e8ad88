/**
 * A stored fold of a long stream up to an event. `hash` is the hash of that event, so a snapshot of another history is never used.
 */
export type Snapshot = {
  readonly revision: number;
  readonly hash: string;
  /** The version of the aggregate's state and of its read model. A snapshot with another version is not used. */
  readonly version: string;
  /** JSON of the state and of the shown document. Personal values in it are sealed. */
  readonly fold: string;
};

/**
 * Snapshots of long streams. They only save time: a lost, old or damaged snapshot makes the first command on its stream slower.
 */
export type Snapshots = {
  /** Returns the snapshot of a stream. Null if there is none, or if it is damaged or cannot be read now. */
  read(stream: string): Promise<Snapshot | null>;
  /** Stores a snapshot in the background, in place of an earlier one. Never throws. */
  write(stream: string, snapshot: Snapshot): void;
};

/** For a process that stores none. */
export const NO_SNAPSHOTS: Snapshots = { read: async () => null, write: () => undefined };

/**
 * The number of events between two snapshots. A stream with fewer events is folded from its start, which verifies all of it. It
 * takes some milliseconds, also if each event has 60 KB.
 */
export const SNAPSHOT_INTERVAL = 100;
