import type { AppendedEvent, EventCodec, StreamEnd } from '../event-codec.js';
import { assertNotBroken, BrokenHistory } from '../history.js';
import type { Message } from '../message.js';
import type { EventStore, StoredEvent } from '../ports/event-store.port.js';
import {
  emptyStream,
  evolve,
  revisionNumber,
  type Aggregate,
  type CommandResult,
  type LoadedStream,
  type TenantScoped,
} from './aggregate.js';
import type { FoldedDocument } from './folded-document.js';
import { SNAPSHOT_INTERVAL } from './snapshots.js';
import { StreamCache } from './stream-cache.js';
import type { ObservedEvents, ReadObservedEvents, StreamKnowledge, Writers } from './stream-knowledge.js';

/** Number of events per read. */
const PAGE = 1000;
/** Number of streams in the cache. */
const CACHED_STREAMS = 20_000;

/** What a snapshot stores of a fold. `shown` is the name in stored snapshots. */
type StoredFold<State> = Pick<LoadedStream<State>, 'state'> & { readonly shown: FoldedDocument };

/** Folds streams and verifies them. Keeps the folds of the streams that were used last. */
export class StreamLoader {
  private readonly cache = new StreamCache<LoadedStream<unknown>>(CACHED_STREAMS, ({ end }) => revisionNumber(end));

  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'verify' | 'hashOf' | 'decode'>,
    private readonly writers: Writers,
    private readonly observedEvents: ReadObservedEvents,
    private readonly knowledge: StreamKnowledge,
  ) {}

  /** Folds the aggregate's stream and verifies its hash chain. Rejects with BrokenHistory on an altered or unreadable event. */
  async load<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<LoadedStream<S>> {
    const stream = `${aggregate.category}-${id}`;
    assertNotBroken(this.knowledge.faults, stream);
    const cached = this.cache.get(stream) as LoadedStream<S> | undefined;
    if (cached && this.writers === 'this process') return cached;
    const loaded = cached ? await this.foldRest(aggregate, stream, cached) : await this.loadStored(aggregate, stream);
    if (!cached) await this.assertNotTruncated(stream, loaded);
    if (loaded.end.revision !== 'none') this.cache.put(stream, loaded);
    return loaded;
  }

  /**
   * Folds the events that this process has observed, without reading the store. Returns null if it has observed none. It has
   * observed all events up to the position `upTo`; other processes may have appended later ones. A decision to append may use
   * this state, because the append then detects a conflict. A decision to do nothing may use it only if the position of the
   * event that caused the command is `upTo` or lower.
   */
  loadCached<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): (LoadedStream<S> & Pick<ObservedEvents, 'upTo'>) | null {
    const stream = `${aggregate.category}-${id}`;
    assertNotBroken(this.knowledge.faults, stream);
    const cached = (this.cache.get(stream) as LoadedStream<S> | undefined) ?? emptyStream(aggregate);
    const { events, upTo } = this.observedEvents(stream, revisionNumber(cached.end) + 1);
    const loaded = this.fold(aggregate, cached, events);
    return loaded.end.revision === 'none' ? null : { ...loaded, upTo };
  }

  /** Folds the events that were just appended to a loaded stream, and keeps the fold. */
  added<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    loaded: LoadedStream<S>,
    { recorded, end }: { readonly recorded: readonly AppendedEvent[]; readonly end: StreamEnd },
  ): CommandResult<S, E> {
    const events = recorded as readonly AppendedEvent<E>[];
    const changed = { ...events.reduce((current, event) => evolve(aggregate, current, event), loaded), end };
    // A new stream rarely gets another command soon. If many processes write, the cache may save a request to a server.
    if (loaded.end.revision !== 'none' || this.writers === 'many processes') this.cache.put(stream, changed);
    this.keepSnapshot(aggregate, stream, loaded, changed);
    return { ...changed, events };
  }

  /** Forgets the fold that a conflict proved stale. */
  drop(stream: string, stale: LoadedStream<unknown>): void {
    this.cache.drop(stream, stale);
  }

  /**
   * Folds a stream that is not cached. A long stream is folded from its snapshot on. The events before the snapshot are verified
   * in the background, by the check of the history and by audits.
   */
  private async loadStored<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): Promise<LoadedStream<S>> {
    const first = await this.store.readStream(stream, 0, SNAPSHOT_INTERVAL);
    const start = this.fold(aggregate, emptyStream(aggregate), first);
    if (first.length < SNAPSHOT_INTERVAL) return start;
    const loaded = await this.loadFromSnapshot(aggregate, stream);
    return loaded ?? this.foldRest(aggregate, stream, start);
  }

  /** Returns null if the stream has no snapshot, or one that does not fit. */
  private async loadFromSnapshot<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): Promise<LoadedStream<S> | null> {
    const snapshot = await this.knowledge.snapshots.read(stream);
    if (snapshot?.version !== versionOf(aggregate)) return null;
    const { revision, hash, fold } = snapshot;
    // One read has the event of the snapshot and those after it: a second request to a server would take as long again.
    const [event, ...later] = await this.store.readStream(stream, revision, PAGE);
    if (event?.revision !== revision || !this.hasHash(event, hash)) return null;
    const { state, shown: folded } = JSON.parse(fold) as StoredFold<S>;
    const loaded = this.fold(aggregate, { state, folded, end: { revision, hash } }, later);
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

  /** Folds the events after `start`, and keeps a snapshot. */
  private async foldRest<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    start: LoadedStream<S>,
  ): Promise<LoadedStream<S>> {
    for (let loaded = start; ;) {
      const page = await this.store.readStream(stream, revisionNumber(loaded.end) + 1, PAGE);
      loaded = this.fold(aggregate, loaded, page);
      if (page.length < PAGE) {
        this.keepSnapshot(aggregate, stream, start, loaded);
        return loaded;
      }
    }
  }

  /** Stores a snapshot whenever a fold passes a multiple of the interval. */
  private keepSnapshot<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    before: LoadedStream<S>,
    { state, folded, end }: LoadedStream<S>,
  ): void {
    const intervals = ({ revision }: StreamEnd): number => (revision === 'none' ? 0 : Math.floor((revision + 1) / SNAPSHOT_INTERVAL));
    const version = versionOf(aggregate);
    if (end.revision === 'none' || version === null || intervals(end) <= Math.max(1, intervals(before.end))) return;
    this.knowledge.snapshots.write(stream, {
      revision: end.revision,
      hash: end.hash,
      version,
      fold: JSON.stringify({ state, shown: folded } satisfies StoredFold<S>),
    });
  }

  private fold<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    loaded: LoadedStream<S>,
    events: readonly StoredEvent[],
  ): LoadedStream<S> {
    return events.reduce((current, stored) => {
      try {
        const hash = this.codec.verify(stored, current.end.hash);
        const event = this.codec.decode(stored) as unknown as AppendedEvent<E>;
        return { ...evolve(aggregate, current, event), end: { revision: stored.revision, hash } };
      } catch (error) {
        throw error instanceof BrokenHistory ? this.recordFault(error, current.state.tenant) : error;
      }
    }, loaded);
  }

  /**
   * Throws BrokenHistory if a read model contains later events than the stream. In that case the last events of the stream have
   * been deleted, and the log alone does not show this (contract 23.5). If many processes write, checks only streams without
   * events: a query of the database for every stream would slow the commands down.
   */
  private async assertNotTruncated<S extends TenantScoped>(stream: string, { state, end }: LoadedStream<S>): Promise<void> {
    if (this.writers === 'many processes' && end.revision !== 'none') return;
    const readModelRevision = await this.knowledge.readModelRevision(stream);
    if (readModelRevision <= revisionNumber(end)) return;
    // The event with that revision may have been appended after the stream was read.
    const [recorded] = await this.store.readStream(stream, readModelRevision, 1);
    if (recorded) return;
    const revision = revisionNumber(end) + 1;
    const reason = `event ${revision} of ${stream} is missing: a read model shows the stream up to revision ${readModelRevision}`;
    throw this.recordFault(new BrokenHistory({ stream, revision, kind: 'altered', reason, tenant: null }), state.tenant);
  }

  private recordFault(error: BrokenHistory, tenant: string | null): BrokenHistory {
    const { faults } = this.knowledge;
    faults.record({ ...error.fault, tenant: error.fault.tenant ?? tenant });
    return new BrokenHistory(faults.of(error.fault.stream) ?? error.fault, { cause: error });
  }
}

/** Returns the version of an aggregate's snapshots, or null if it has none. */
const versionOf = ({ stateVersion, projection }: Pick<Aggregate<unknown, Message, Message, string>, 'stateVersion' | 'projection'>) =>
  stateVersion === undefined ? null : `${stateVersion}.${projection?.version ?? 0}`;
