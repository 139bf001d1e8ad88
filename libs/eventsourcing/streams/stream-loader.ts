import type { AppendedEvent, ReadCodec, StreamEnd } from '../event-codec.js';
import { assertNotBroken, type StreamFaultLookup } from '../history.js';
import type { Message } from '../message.js';
import type { EventStore } from '../ports/event-store.port.js';
import {
  emptyStream,
  evolve,
  leavesOutSkipped,
  revisionNumber,
  type Aggregate,
  type CommandResult,
  type LoadedStream,
  type TenantScoped,
} from './aggregate.js';
import { SnapshotFolder } from './snapshots.js';
import { StreamCache } from './stream-cache.js';
import { StreamFolder, type Folder } from './stream-folder.js';
import type { ObservedEvents, ReadObservedEvents, StreamKnowledge, Writers } from './stream-knowledge.js';
import { checkTruncation } from './truncation.js';

/** Number of streams in the cache. */
const CACHED_STREAMS = 20_000;

/** Returns the folder of a process: it verifies each stream, uses snapshots, and finds truncated streams. */
const folderOf = (store: Pick<EventStore, 'readStream'>, codec: ReadCodec, writers: Writers, knowledge: StreamKnowledge): Folder => {
  const folder = new StreamFolder(store, codec, knowledge.faults);
  return checkTruncation(new SnapshotFolder(folder, store, codec, knowledge.snapshots), { store, writers, knowledge });
};

/** Loads streams. Keeps the folds of the streams that were used last. */
export class StreamLoader {
  private readonly cache = new StreamCache<LoadedStream<unknown>>(CACHED_STREAMS, ({ end }) => revisionNumber(end));
  private readonly folder: Folder;
  private readonly faults: StreamFaultLookup;
  private readonly isRefolded: StreamKnowledge['isRefolded'];

  constructor(
    store: Pick<EventStore, 'readStream'>,
    private readonly codec: ReadCodec,
    private readonly writers: Writers,
    private readonly observedEvents: ReadObservedEvents,
    knowledge: StreamKnowledge,
  ) {
    this.folder = folderOf(store, codec, writers, knowledge);
    this.faults = knowledge.faults;
    this.isRefolded = knowledge.isRefolded;
  }

  /** Folds the aggregate's stream and verifies its hash chain. Rejects with BrokenHistory on an altered or unreadable event. */
  async load<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<LoadedStream<S>> {
    const stream = `${aggregate.category}-${id}`;
    assertNotBroken(this.faults, stream);
    const cached = this.cached(aggregate, stream);
    if (cached && this.writers === 'this process') return this.marked(aggregate, stream, cached);
    const loaded = cached ? await this.folder.foldRest(aggregate, stream, cached) : await this.folder.foldAll(aggregate, stream);
    if (loaded.end.revision !== 'none') this.cache.put(stream, loaded);
    return this.marked(aggregate, stream, loaded);
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
    assertNotBroken(this.faults, stream);
    const cached = this.cached(aggregate, stream) ?? emptyStream(aggregate);
    const { events, upTo } = this.observedEvents(stream, revisionNumber(cached.end) + 1);
    const loaded = this.folder.fold(aggregate, cached, events);
    return loaded.end.revision === 'none' ? null : { ...this.marked(aggregate, stream, loaded), upTo };
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
    this.folder.keepSnapshot(aggregate, stream, loaded, changed);
    return { ...changed, events };
  }

  /** Returns the kept fold of a stream. Undefined if there is none, or if operators have skipped other events since. */
  private cached<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): LoadedStream<S> | undefined {
    const cached = this.cache.get(stream) as LoadedStream<S> | undefined;
    return cached && leavesOutSkipped(this.codec, aggregate, stream, cached) ? cached : undefined;
  }

  /** Marks a document whose revision does not identify it. */
  private marked<S>(
    { projection }: Pick<Aggregate<S, Message, Message, string>, 'projection'>,
    stream: string,
    loaded: LoadedStream<S>,
  ): LoadedStream<S> {
    if (!projection || !this.isRefolded(projection.name, stream)) return loaded;
    return { ...loaded, folded: { ...loaded.folded, isRefolded: true } };
  }

  /** Forgets the fold that a conflict proved stale. */
  drop(stream: string, stale: LoadedStream<unknown>): void {
    this.cache.drop(stream, stale);
  }
}
