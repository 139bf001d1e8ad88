/** Why a projection has failed. `at`: when, in ISO 8601. It is tried again. */
export type ReadModelFailure = { readonly error: string; readonly at: string };

/** How far the read model of a projection is. */
export type ReadModelState = {
  /** The name of the projection. */
  readonly name: string;
  readonly version: number;
  /** The position of the last event that it has handled. */
  readonly position: number;
  /** The number of events that it lacks, on several machines counted up to 1,000. Null if it is unknown. */
  readonly behind: number | null;
  /** The age of the first of these events in seconds. 0 without such an event. Null if it is unknown. */
  readonly behindSeconds: number | null;
  /** Whether queries read it. False while a new version is filled. */
  readonly isInService: boolean;
  /** The process that projects it. Null if none does. */
  readonly owner: string | null;
  /** The events that it handles in a second, since an earlier call. Null if it is unknown. */
  readonly eventsPerSecond: number | null;
  /** Why its projection has failed last, until it goes on. Null: it has not failed. */
  readonly lastError: ReadModelFailure | null;
  /** The seconds until it has no lag, by the speed since an earlier call. Null if the speed is unknown, and without a lag. */
  readonly secondsLeft: number | null;
};

/** Tells how far the read models are. */
export abstract class ReadModels {
  /** Returns the state of each projection of this release. Rejects with StoreUnavailable. */
  abstract states(): Promise<readonly ReadModelState[]>;
  /** Returns the position of the last event in the log, 0 without events. Rejects with StoreUnavailable. */
  abstract head(): Promise<number>;
}
