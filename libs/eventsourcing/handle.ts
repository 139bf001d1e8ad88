import { isRejection, rejected, type Rejection } from './decider.js';
import type { EventCodec } from './event-codec.js';
import { BrokenHistory, isOfOtherTenant } from './history.js';
import type { CommandContext, Message } from './message.js';
import type { EventStore } from './ports/event-store.port.js';
import { emptyStream, type Aggregate, type CommandResult, type LoadedStream, type TenantScoped } from './streams/aggregate.js';
import { StreamLoader } from './streams/stream-loader.js';
import {
  NO_KNOWLEDGE,
  type ObservedEvents,
  type ReadObservedEvents,
  type StreamKnowledge,
  type Writers,
} from './streams/stream-knowledge.js';

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

/** Loads aggregates, decides commands and appends their events. */
export class Aggregates {
  private readonly streams: StreamLoader;

  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly writers: Writers = 'this process',
    observedEvents: ReadObservedEvents = () => ({ events: [], upTo: 0 }),
    knowledge: StreamKnowledge = NO_KNOWLEDGE,
  ) {
    this.streams = new StreamLoader(store, codec, writers, observedEvents, knowledge);
  }

  /** Folds the aggregate's stream and verifies its hash chain. Rejects with BrokenHistory on an altered or unreadable event. */
  load<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<LoadedStream<S>> {
    return this.streams.load(aggregate, id);
  }

  /** Folds the events that this process has observed, see `StreamLoader.loadCached`. */
  loadCached<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): (LoadedStream<S> & Pick<ObservedEvents, 'upTo'>) | null {
    return this.streams.loadCached(aggregate, id);
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
    { isNew = false, loaded: alreadyLoaded, precondition }: HandleOptions<S> = {},
  ): Promise<CommandResult<S, E> | Rejection<R | 'precondition_failed' | 'contended'>> {
    const stream = `${aggregate.category}-${id}`;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const start = attempt === 1 ? (alreadyLoaded ?? (isNew ? emptyStream(aggregate) : null)) : null;
      const { cached, loaded, fault } = start
        ? { cached: null, loaded: start, fault: null }
        : await this.loadForDecision(aggregate, id, attempt, context);
      const isOfTenant = belongsTo(context.tenant, loaded.state);
      const decision = aggregate.decider.decide(command, isOfTenant ? loaded.state : aggregate.decider.initial);
      const isPreconditionMet = precondition?.(loaded) ?? true;
      const hasObservedCause = cached !== null && (context.causedAt ?? Infinity) <= cached.upTo;
      // Cached events may be out of date, so the next attempt reads the store.
      if (cached && (isRejection(decision) || !isPreconditionMet || (decision.length === 0 && !hasObservedCause))) continue;
      if (isRejection(decision)) return decision;
      // The decision treated another tenant's broken stream as empty, but no event can be appended to a broken stream.
      if (fault && decision.length > 0) throw fault;
      if (!isOfTenant && decision.length > 0) throw new Error(`${command.type} would write to another tenant's ${stream}`);
      if (!isPreconditionMet) return rejected('precondition_failed');
      if (decision.length === 0) return { ...loaded, events: [] };
      const { encoded, recorded, end } = await this.codec.encode(stream, loaded.end, decision, context);
      const result = await this.store.append(stream, loaded.end.revision, encoded);
      if (result.kind === 'appended') return this.streams.added(aggregate, stream, loaded, { recorded, end });
      this.streams.drop(stream, loaded);
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
  ): Promise<{ cached: (LoadedStream<S> & Pick<ObservedEvents, 'upTo'>) | null; loaded: LoadedStream<S>; fault: BrokenHistory | null }> {
    try {
      const cached = attempt === 1 && this.writers === 'many processes' ? this.loadCached(aggregate, id) : null;
      return { cached, loaded: cached ?? (await this.load(aggregate, id)), fault: null };
    } catch (error) {
      if (!(error instanceof BrokenHistory) || !isOfOtherTenant(tenant, error)) throw error;
      return { cached: null, loaded: emptyStream(aggregate), fault: error };
    }
  }
}

/** Returns whether a stream is new or the tenant's own. Any other stream is treated as if it did not exist (contract 6.2). */
const belongsTo = (tenant: string, state: TenantScoped): boolean => state.tenant === null || state.tenant === tenant;
