import { isRejection, rejected, type Decider, type Rejection } from './decider.js';
import type { EncodedEvent, EventStore, ExpectedRevision, StoredEvent } from './ports/event-store.port.js';
import { assertNotBroken, BrokenHistory, isOfOtherTenant } from './history.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';
import { StreamCache } from './stream-cache.js';
import { NO_KNOWLEDGE, type ObservedEvents, type ReadObservedEvents, type StreamKnowledge, type Writers } from './stream-knowledge.js';

/** The end of a stream. The next event is chained to its hash. */
export type StreamEnd = { readonly revision: ExpectedRevision; readonly hash: string };

/** An event that was just appended. Its position is known only to readers of the log. */
export type AppendedEvent<E extends Message = Message> = Omit<RecordedEvent<E>, 'position'> & E;

/**
 * Converts between domain events and stored events: versions, metadata, hash chain, sealing of personal
 * fields.
 */
export interface EventCodec {
  encode(
    stream: string,
    end: StreamEnd,
    events: readonly Message[],
    context: CommandContext,
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly recorded: readonly AppendedEvent[]; readonly end: StreamEnd }>;
  /**
   * Upcasts to the current shape. Personal fields stay sealed. Throws BrokenHistory if the type or the schema
   * version is unknown.
   */
  decode(event: StoredEvent): RecordedEvent;
  /**
   * Verifies the event and its link to `previousHash`, and returns its hash. Throws BrokenHistory if the
   * history was altered.
   */
  verify(event: StoredEvent, previousHash: string): string;
  /**
   * Verifies the event alone and returns its hash, for a reader that starts after it. Throws BrokenHistory if
   * it was altered.
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

/** The state of every aggregate names its tenant, null before the first event. */
export type TenantScoped = { readonly tenant: string | null };

/** A folded stream. */
export type LoadedStream<State> = { readonly state: State; readonly end: StreamEnd };

/** The result of a command: the events that it added, none if there was nothing to do. */
export type CommandResult<State, Event extends Message> = LoadedStream<State> & { readonly events: readonly AppendedEvent<Event>[] };

export type HandleOptions<State> = {
  /** Whether the id was just created. The stream cannot exist yet and is not read. */
  readonly isNew?: boolean;
  /** The stream, if the caller has just loaded it. It is loaded again only after a conflict. */
  readonly loaded?: LoadedStream<State>;
  /**
   * Must accept the loaded stream. Otherwise the command is rejected as `precondition_failed` and not
   * retried.
   */
  readonly precondition?: (loaded: LoadedStream<State>) => boolean;
};

/** Number of attempts after which a command with repeated conflicts is rejected as `contended`. */
export const MAX_ATTEMPTS = 100;
const PAGE = 1000;

const revisionNumber = ({ revision }: StreamEnd): number => (revision === 'none' ? -1 : revision);

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

  /**
   * Folds the aggregate's stream and verifies its hash chain. Rejects with BrokenHistory if it was altered or
   * cannot be read.
   */
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
   * Folds the events that this process has observed, without reading the store. Returns null if there are
   * none. Other processes may have appended since. The state is good for deciding what to append: the append
   * detects a conflict. It also proves that a command has nothing left to do, if the event that caused it is
   * at `upTo` or earlier.
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
   * Runs a command on one aggregate. After a conflict with another writer it reloads and decides again, up to
   * MAX_ATTEMPTS times. A command with a precondition is rejected instead.
   *
   * If other processes write too, the first attempt decides on the observed events. If it decides to append
   * events, they are appended. If there is nothing to do, that is final only if everything up to the cause of
   * the command was observed. In all other cases the command is decided again on the stored stream.
   *
   * Rejects with StoreUnavailable if the store does, and with BrokenHistory if the stream was altered or
   * cannot be read.
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
      const isOwn = belongsTo(context.tenant, loaded.state);
      const decision = aggregate.decider.decide(command, isOwn ? loaded.state : aggregate.decider.initial);
      const isMet = precondition?.(loaded) ?? true;
      const hasObservedCause = cached !== null && (context.causedAt ?? Infinity) <= cached.upTo;
      if (cached && (isRejection(decision) || !isMet || (decision.length === 0 && !hasObservedCause))) continue;
      if (isRejection(decision)) return decision;
      if (hidden && decision.length > 0) throw hidden;
      if (!isOwn && decision.length > 0) throw new Error(`${command.type} would write to another tenant's ${stream}`);
      if (!isMet) return rejected('precondition_failed');
      if (decision.length === 0) return { ...loaded, events: [] };
      const { encoded, recorded, end } = await this.codec.encode(stream, loaded.end, decision, context);
      const result = await this.store.append(stream, loaded.end.revision, encoded);
      if (result.kind === 'appended') {
        const events = recorded as readonly AppendedEvent<E>[];
        const state = events.reduce((current, event) => aggregate.decider.evolve(current, event, event.meta), loaded.state);
        // Few new streams get another command soon. Caching them is worthwhile only if it saves requests to a
        // server.
        if (loaded.end.revision !== 'none' || this.writers === 'many processes') this.cache.put(stream, { state, end });
        return { state, end, events };
      }
      this.cache.drop(stream, loaded);
      // Otherwise the next attempt checks the precondition on the stored stream.
      if (precondition && !cached) return rejected('precondition_failed');
    }
    return rejected('contended');
  }

  /**
   * Returns the stream on which a command is decided. Another tenant's broken stream is returned as an empty
   * one, with its fault in `hidden`.
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
   * Compares a stream with the read models, because the log alone does not show that its last events were
   * deleted (contract 23.5). Only a stream that is read for the first time is compared. If many processes
   * write, only a stream that the log does not have is compared, so that commands do not query a database.
   */
  private async assertNotTruncated<S extends TenantScoped>(stream: string, { state, end }: LoadedStream<S>): Promise<void> {
    if (this.writers === 'many processes' && end.revision !== 'none') return;
    const readModelRevision = await this.knowledge.readModelRevision(stream);
    if (readModelRevision <= revisionNumber(end)) return;
    // The event may have been recorded since the stream was read.
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

/** Another tenant's id is treated as one that does not exist, by the decider too (contract 6.2). */
const belongsTo = (tenant: string, state: TenantScoped): boolean => state.tenant === null || state.tenant === tenant;

const emptyStream = <S, C extends Message, E extends Message, R extends string>(aggregate: Aggregate<S, C, E, R>): LoadedStream<S> => ({
  state: aggregate.decider.initial,
  end: { revision: 'none', hash: '' },
});
