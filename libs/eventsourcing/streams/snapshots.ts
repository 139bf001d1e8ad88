// Long streams are folded from a stored fold, so that a command on them takes no longer than on a short one. The events before it
// are verified in the background, by the check of the history and by audits.
import type { EventCodec, StreamEnd } from '../event-codec.js';
import { BrokenHistory } from '../history.js';
import type { Message } from '../message.js';
import type { EventStore, StoredEvent } from '../ports/event-store.port.js';
import { emptyStream, leavesOutSkipped, type Aggregate, type LoadedStream, type TenantScoped } from './aggregate.js';
import type { FoldedDocument } from './folded-document.js';
import { PAGE, type Folder } from './stream-folder.js';

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

/** What a snapshot stores of a fold. `shown` is the name in stored snapshots. */
type StoredFold<State> = Pick<LoadedStream<State>, 'state'> & { readonly shown: FoldedDocument };

/** A folder that folds long streams from their snapshots, and keeps the snapshots up to date. */
export class SnapshotFolder implements Folder {
  constructor(
    private readonly inner: Folder,
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'hashOf' | 'skippedRevisions'>,
    private readonly snapshots: Snapshots,
  ) {}

  async foldAll<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): Promise<LoadedStream<S>> {
    const first = await this.store.readStream(stream, 0, SNAPSHOT_INTERVAL);
    const start = this.fold(aggregate, emptyStream(aggregate), first);
    if (first.length < SNAPSHOT_INTERVAL) return start;
    const loaded = await this.foldFromSnapshot(aggregate, stream);
    return loaded ?? this.foldRest(aggregate, stream, start);
  }

  async foldRest<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    start: LoadedStream<S>,
  ): Promise<LoadedStream<S>> {
    const loaded = await this.inner.foldRest(aggregate, stream, start);
    this.keepSnapshot(aggregate, stream, start, loaded);
    return loaded;
  }

  fold<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    loaded: LoadedStream<S>,
    events: readonly StoredEvent[],
  ): LoadedStream<S> {
    return this.inner.fold(aggregate, loaded, events);
  }

  /** Stores a snapshot whenever a fold passes a multiple of the interval. */
  keepSnapshot<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    before: LoadedStream<S>,
    { state, folded, end }: LoadedStream<S>,
  ): void {
    const intervals = ({ revision }: StreamEnd): number => (revision === 'none' ? 0 : Math.floor((revision + 1) / SNAPSHOT_INTERVAL));
    const version = versionOf(aggregate);
    if (end.revision === 'none' || version === null || intervals(end) <= Math.max(1, intervals(before.end))) return;
    this.snapshots.write(stream, {
      revision: end.revision,
      hash: end.hash,
      version,
      fold: JSON.stringify({ state, shown: folded } satisfies StoredFold<S>),
    });
  }

  /** Returns null if the stream has no snapshot, or one that does not fit. */
  private async foldFromSnapshot<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): Promise<LoadedStream<S> | null> {
    const snapshot = await this.snapshots.read(stream);
    if (snapshot?.version !== versionOf(aggregate)) return null;
    const { revision, hash, fold } = snapshot;
    // One read has the event of the snapshot and those after it: a second request to a server would take as long again.
    const [event, ...later] = await this.store.readStream(stream, revision, PAGE);
    if (event?.revision !== revision || !this.hasHash(event, hash)) return null;
    const { state, shown: folded } = JSON.parse(fold) as StoredFold<S>;
    const stored = { state, folded, end: { revision, hash } };
    if (!leavesOutSkipped(this.codec, aggregate, stream, stored)) return null;
    const loaded = this.fold(aggregate, stored, later);
    if (later.length < PAGE - 1) return loaded;
    return this.foldRest(aggregate, stream, loaded);
  }

  /** An altered event has no hash. The fold from the start then finds and records the fault. */
  private hasHash(event: StoredEvent, hash: string): boolean {
    try {
      return this.codec.hashOf(event) === hash;
    } catch (error) {
      if (error instanceof BrokenHistory) return false;
      throw error;
    }
  }
}

/** Returns the version of an aggregate's snapshots, or null if it has none. */
const versionOf = ({ stateVersion, projection }: Pick<Aggregate<unknown, Message, Message, string>, 'stateVersion' | 'projection'>) =>
  stateVersion === undefined ? null : `${stateVersion}.${projection?.version ?? 0}`;
