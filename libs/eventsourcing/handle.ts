import { isRejection, rejected, type Decider, type Rejection } from './decider.js';
import type { EncodedEvent, EventStore, ExpectedRevision, StoredEvent } from './ports/event-store.port.js';
import { assertNotBroken, BrokenHistory, isOfOtherTenant } from './history.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';
import { StreamCache } from './stream-cache.js';
import { NO_KNOWLEDGE, type ObservedEvents, type ReadObservedEvents, type StreamKnowledge, type Writers } from './stream-knowledge.js';

/** Revision and hash of a stream's last event. The next event is chained to this hash. An empty stream has the hash ''. */
export type StreamEnd = { readonly revision: ExpectedRevision; readonly hash: string };

/** An event that was just appended. Unlike an event that was read from the log, it has no position. */
export type AppendedEvent<E extends Message = Message> = Omit<RecordedEvent<E>, 'position'> & E;

/** Converts between domain events and stored events: versions, metadata, hash chain, sealing of personal fields. */
export interface EventCodec {
  /** Encodes the events that follow `end`. Returns the stored and the recorded form of each, and the new end of the stream. */
  encode(
    stream: string,
    end: StreamEnd,
    events: readonly Message[],
    context: CommandContext,
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly recorded: readonly AppendedEvent[]; readonly end: StreamEnd }>;
  /**
   * Upcasts the event's data to the current shape. Personal fields stay sealed. Throws BrokenHistory if the type or the
   * schema version is unknown.
   */
  decode(event: StoredEvent): RecordedEvent;
  /**
   * Verifies the event and its link to `previousHash`, and returns its hash. Throws BrokenHistory if the history was altered.
   */
  verify(event: StoredEvent, previousHash: string): string;
  /**
   * Verifies the event without its link to the previous event, and returns its hash. A reader that starts after this event
   * needs the hash to verify the next event. Throws BrokenHistory if the event was altered.
   */
  hashOf(event: StoredEvent): string;
}

/** The part of the codec that readers of the log need. */
export type ReadCodec = Pick<EventCodec, 'verify' | 'hashOf' | 'decode'>;

/** The type of an aggregate: the category of its streams, and its rules. */
export type Aggregate<State, Command extends Message, Event extends Message, Reason extends string> = {
  readonly category: string;
  readonly decider: Decider<State, Command, Event, Reason>;
};

/** The state of every aggregate contains its tenant, which is null before the first event. */
export type TenantScoped = { readonly tenant: string | null };

/** A folded stream. */
export type LoadedStream<State> = { readonly state: State; readonly end: StreamEnd };

/** The result of a command: the events that it added, none if there was nothing to do. */
export type CommandResult<State, Event extends Message> = LoadedStream<State> & { readonly events: readonly AppendedEvent<Event>[] };

export type HandleOptions<State> = {
  /** Whether the caller has just created the id. The stream of a new id cannot exist yet and is not read. */
  readonly isNew?: boolean;
  /** The stream, if the caller has just loaded it. After a conflict, the stream is loaded again. */
  readonly loaded?: LoadedStream<State>;
  /**
   * Returns whether the command may run on this state of the stream, for example because its revision is the one in If-Match.
   * If not, the command is rejected as `precondition_failed`. So it is if another writer appends before the command does.
   */
  readonly precondition?: (loaded: LoadedStream<State>) => boolean;
};

/** Number of attempts after which a command with repeated conflicts is rejected as `contended`. */
export const MAX_ATTEMPTS = 100;
/** Number of events per read. */
const PAGE = 1000;

const revisionNumber = ({ revision }: StreamEnd): number => (revision === 'none' ? -1 : revision);

/** Number of streams in the cache. */
const CACHED_STREAMS = 20_000;

/** Loads aggregates, decides commands and appends their events. */
export class Aggregates {
  private readonly cache = new StreamCache<LoadedStream<unknown>>(CACHED_STREAMS, ({ end }) => revisionNumber(end));

  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly writers: Writers = 'this process',
    private readonly observedEvents: ReadObservedEvents = () => ({ events: [], upTo: 0 }),
    private readonly knowledge: StreamKnowledge = NO_KNOWLEDGE,
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
    let loaded = cached ?? emptyStream(aggregate);
    for (let from = revisionNumber(loaded.end) + 1; ; from += PAGE) {
      const page = await this.store.readStream(stream, from, PAGE);
      loaded = this.fold(aggregate, loaded, page);
      if (page.length < PAGE) break;
    }
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
    const known = (this.cache.get(stream) as LoadedStream<S> | undefined) ?? emptyStream(aggregate);
    const { events, upTo } = this.observedEvents(stream, revisionNumber(known.end) + 1);
    const loaded = this.fold(aggregate, known, events);
    return loaded.end.revision === 'none' ? null : { ...loaded, upTo };
  }

  /**
   * Runs a command on one aggregate. After a conflict with another writer, reloads the stream and decides again, up to
   * MAX_ATTEMPTS times. A command with a precondition is not decided again, but rejected as `precondition_failed`.
   *
   * If other processes write too, the first attempt uses the state of `loadCached`, which may be old. If that state leads to a
   * rejection or a conflict, the second attempt reads the store and decides again. So it does if there is nothing to do in that
   * state, but the state may lack the event that caused the command.
   *
   * Rejects with StoreUnavailable if the store is unavailable, and with BrokenHistory if the stream was altered or cannot be
   * read.
   */
  async handle<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    command: C,
    context: CommandContext,
    { isNew = false, loaded: known, precondition }: HandleOptions<S> = {},
  ): Promise<CommandResult<S, E> | Rejection<R | 'precondition_failed' | 'contended'>> {
    const stream = `${aggregate.category}-${id}`;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const given = attempt === 1 ? (known ?? (isNew ? emptyStream(aggregate) : null)) : null;
      const { cached, loaded, hidden } = given
        ? { cached: null, loaded: given, hidden: null }
        : await this.loadForDecision(aggregate, id, attempt, context);
      const isOfTenant = belongsTo(context.tenant, loaded.state);
      const decision = aggregate.decider.decide(command, isOfTenant ? loaded.state : aggregate.decider.initial);
      const isPreconditionMet = precondition?.(loaded) ?? true;
      const hasObservedCause = cached !== null && (context.causedAt ?? Infinity) <= cached.upTo;
      // Cached events may be out of date, so the next attempt reads the store.
      if (cached && (isRejection(decision) || !isPreconditionMet || (decision.length === 0 && !hasObservedCause))) continue;
      if (isRejection(decision)) return decision;
      // The decision treated another tenant's broken stream as empty, but no event can be appended to a broken stream.
      if (hidden && decision.length > 0) throw hidden;
      if (!isOfTenant && decision.length > 0) throw new Error(`${command.type} would write to another tenant's ${stream}`);
      if (!isPreconditionMet) return rejected('precondition_failed');
      if (decision.length === 0) return { ...loaded, events: [] };
      const { encoded, recorded, end } = await this.codec.encode(stream, loaded.end, decision, context);
      const result = await this.store.append(stream, loaded.end.revision, encoded);
      if (result.kind === 'appended') {
        const events = recorded as readonly AppendedEvent<E>[];
        const state = events.reduce((current, event) => aggregate.decider.evolve(current, event, event.meta), loaded.state);
        // A new stream rarely gets another command soon. If many processes write, the cache may save a request to a server.
        if (loaded.end.revision !== 'none' || this.writers === 'many processes') this.cache.put(stream, { state, end });
        return { state, end, events };
      }
      this.cache.drop(stream, loaded);
      // After a decision on cached events, the next attempt checks the precondition on the stored stream.
      if (precondition && !cached) return rejected('precondition_failed');
    }
    return rejected('contended');
  }

  /**
   * Returns the stream on which a command is decided. A broken stream of another tenant is returned as an empty stream, as
   * if its id did not exist (contract 6.2). `hidden` is the fault of such a stream, otherwise null.
   */
  private async loadForDecision<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    attempt: number,
    { tenant }: CommandContext,
  ): Promise<{ cached: (LoadedStream<S> & Pick<ObservedEvents, 'upTo'>) | null; loaded: LoadedStream<S>; hidden: BrokenHistory | null }> {
    try {
      const cached = attempt === 1 && this.writers === 'many processes' ? this.loadCached(aggregate, id) : null;
      return { cached, loaded: cached ?? (await this.load(aggregate, id)), hidden: null };
    } catch (error) {
      if (!(error instanceof BrokenHistory) || !isOfOtherTenant(tenant, error)) throw error;
      return { cached: null, loaded: emptyStream(aggregate), hidden: error };
    }
  }

  private fold<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    { decider }: Aggregate<S, C, E, R>,
    loaded: LoadedStream<S>,
    events: readonly StoredEvent[],
  ): LoadedStream<S> {
    return events.reduce(({ state, end }, stored) => {
      try {
        const hash = this.codec.verify(stored, end.hash);
        const event = this.codec.decode(stored);
        return { state: decider.evolve(state, event as unknown as E, event.meta), end: { revision: stored.revision, hash } };
      } catch (error) {
        throw error instanceof BrokenHistory ? this.recordFault(error, state.tenant) : error;
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

/** Returns whether a stream is new or the tenant's own. Any other stream is treated as if it did not exist (contract 6.2). */
const belongsTo = (tenant: string, state: TenantScoped): boolean => state.tenant === null || state.tenant === tenant;

const emptyStream = <S, C extends Message, E extends Message, R extends string>(aggregate: Aggregate<S, C, E, R>): LoadedStream<S> => ({
  state: aggregate.decider.initial,
  end: { revision: 'none', hash: '' },
});
