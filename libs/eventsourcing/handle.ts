import { isRejection, rejected, type Decider, type Rejection } from './decider.js';
import type { EncodedEvent, EventStore, ExpectedRevision, StoredEvent } from './ports/event-store.port.js';
import { BrokenHistory, isOfAnother, NO_FAULTS, refuseBroken, type KnownFaults } from './history.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';
import { StreamCache } from './stream-cache.js';

/** Where a stream ends: what the next event is chained to. */
export type StreamEnd = { readonly revision: ExpectedRevision; readonly hash: string };

/** An event just recorded; its place in the whole log is the readers' business. */
export type AppendedEvent<E extends Message = Message> = Omit<RecordedEvent<E>, 'position'> & E;

/** The only door between domain events and stored ones: versions, metadata, hash chain, sealing of personal fields. */
export interface EventCodec {
  encode(
    stream: string,
    end: StreamEnd,
    events: readonly Message[],
    context: CommandContext,
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly recorded: readonly AppendedEvent[]; readonly end: StreamEnd }>;
  /** Upcasts to today's shape; personal fields stay sealed. Throws BrokenHistory on a type or a schema version it does not know. */
  decode(event: StoredEvent): RecordedEvent;
  /** The event's hash, after checking it and its link to `previousHash`. Throws BrokenHistory when the history was altered. */
  verify(event: StoredEvent, previousHash: string): string;
  /** The event's hash, after checking the event alone: for a reader who begins after it. Throws BrokenHistory when it was altered. */
  hashOf(event: StoredEvent): string;
}

/** What readers of the log need of the codec. */
export type ReadCodec = Pick<EventCodec, 'verify' | 'hashOf' | 'decode'>;

/** An aggregate's kind: its streams' category and its rules. */
export type Aggregate<State, Command extends Message, Event extends Message, Reason extends string> = {
  readonly category: string;
  readonly decider: Decider<State, Command, Event, Reason>;
};

/** What every aggregate's state says: whose it is, null before the first event. */
export type Owned = { readonly tenant: string | null };

/** A folded stream. */
export type Loaded<State> = { readonly state: State; readonly end: StreamEnd };

/** What a command did: the events it added, none when there was nothing to do. */
export type Handled<State, Event extends Message> = Loaded<State> & { readonly events: readonly AppendedEvent<Event>[] };

export type HandleOptions<State> = {
  /** The stream cannot exist yet, since its id was just made: do not look for it. */
  readonly fresh?: boolean;
  /** The stream as this call's caller has just loaded it: it is decided on that, and loaded anew only after a conflict. */
  readonly loaded?: Loaded<State>;
  /** Must accept the loaded stream, else the command is refused as `precondition_failed` and never retried. */
  readonly precondition?: (loaded: Loaded<State>) => boolean;
};

/** A command decided anew this often on a stream that others keep writing to is given up as `contended`. */
export const MAX_ATTEMPTS = 100;
const PAGE = 1000;

const revisionNumber = ({ revision }: StreamEnd): number => (revision === 'none' ? -1 : revision);

/**
 * Who writes to the log: this process alone, so that what it remembers of a stream is how the stream stands, or others
 * too, so that every command first reads what has come since.
 */
export type Writers = 'this process' | 'many processes';

/** What has come to this process of a stream. */
export type HeardOf = {
  /** From the revision that was asked for, without a gap; none where it has not heard of it. */
  readonly events: readonly StoredEvent[];
  /** Up to this position of the log nothing of the stream is missing; 0 where that is not known. */
  readonly upTo: number;
};

/** Answers what has come to this process of a stream, from a revision on. */
export type Heard = (stream: string, from: number) => HeardOf;

const CACHED_STREAMS = 20_000;

/** What a process knows of streams beside the log. */
export type StreamKnowledge = {
  readonly faults: KnownFaults;
  /** The revision that a read model shows of a stream, -1 when it shows none: a log that ends before it has lost events. */
  readonly shownRevision: (stream: string) => Promise<number>;
};

const NOTHING_KNOWN: StreamKnowledge = { faults: NO_FAULTS, shownRevision: async () => -1 };

/** Loads, decides and appends; the heart of every command. */
export class Aggregates {
  private readonly cache = new StreamCache<Loaded<unknown>>(CACHED_STREAMS, ({ end }) => revisionNumber(end));

  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly writers: Writers = 'this process',
    private readonly heard: Heard = () => ({ events: [], upTo: 0 }),
    private readonly knowledge: StreamKnowledge = NOTHING_KNOWN,
  ) {}

  /** Folds the aggregate's stream, verifying its hash chain. Rejects with BrokenHistory when the stream was altered or cannot be read. */
  async load<S extends Owned, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<Loaded<S>> {
    const stream = `${aggregate.category}-${id}`;
    refuseBroken(this.knowledge.faults, stream);
    const cached = this.cache.get(stream) as Loaded<S> | undefined;
    if (cached && this.writers === 'this process') return cached;
    let loaded = cached ?? empty(aggregate);
    for (let from = revisionNumber(loaded.end) + 1; ; from += PAGE) {
      const page = await this.store.readStream(stream, from, PAGE);
      loaded = this.fold(aggregate, loaded, page);
      if (page.length < PAGE) break;
    }
    if (!cached) await this.refuseCutShort(stream, loaded);
    if (loaded.end.revision !== 'none') this.cache.put(stream, loaded);
    return loaded;
  }

  /**
   * The aggregate as far as this process has heard of it, without asking the store; null when it has not. Others may have
   * gone on: it is good for deciding what to append, which a conflict refuses, and for seeing that nothing is left to do
   * of what followed from an event at `upTo` or before it.
   */
  lately<S extends Owned, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): (Loaded<S> & Pick<HeardOf, 'upTo'>) | null {
    const stream = `${aggregate.category}-${id}`;
    refuseBroken(this.knowledge.faults, stream);
    const known = (this.cache.get(stream) as Loaded<S> | undefined) ?? empty(aggregate);
    const { events, upTo } = this.heard(stream, revisionNumber(known.end) + 1);
    const loaded = this.fold(aggregate, known, events);
    return loaded.end.revision === 'none' ? null : { ...loaded, upTo };
  }

  /**
   * Carries out a command on one aggregate. A conflict with another writer reloads and decides again, MAX_ATTEMPTS
   * times at most; under a precondition it does not. Where others write too, what is to be appended is decided on what this
   * process has heard of the stream, and that nothing is left to do where it has heard everything up to the event that caused the
   * command; everything else on what stands in the store. Rejects with StoreUnavailable when the store does, and with
   * BrokenHistory when the stream was altered or cannot be read.
   */
  async handle<S extends Owned, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    command: C,
    context: CommandContext,
    { fresh = false, loaded: known, precondition }: HandleOptions<S> = {},
  ): Promise<Handled<S, E> | Rejection<R | 'precondition_failed' | 'contended'>> {
    const stream = `${aggregate.category}-${id}`;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const given = attempt === 1 ? (known ?? (fresh ? empty(aggregate) : null)) : null;
      const { lately, loaded, hidden } = given
        ? { lately: null, loaded: given, hidden: null }
        : await this.current(aggregate, id, attempt, context);
      const isOwn = belongsTo(context.tenant, loaded.state);
      const decision = aggregate.decider.decide(command, isOwn ? loaded.state : aggregate.decider.initial);
      const isMet = precondition?.(loaded) ?? true;
      const heardItsCause = lately !== null && (context.causedAt ?? Infinity) <= lately.upTo;
      if (lately && (isRejection(decision) || !isMet || (decision.length === 0 && !heardItsCause))) continue;
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
        // What has just begun is mostly read next, not commanded: keeping it costs every creation more than it saves, unless it saves asking a server.
        if (loaded.end.revision !== 'none' || this.writers === 'many processes') this.cache.put(stream, { state, end });
        return { state, end, events };
      }
      this.cache.drop(stream, loaded);
      // What was decided on hearsay was never held against the stream as it stands.
      if (precondition && !lately) return rejected('precondition_failed');
    }
    return rejected('contended');
  }

  /** The stream as a command is decided on it. Another tenant's broken stream is, to the rules, one that does not exist. */
  private async current<S extends Owned, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    attempt: number,
    { tenant }: CommandContext,
  ): Promise<{ lately: (Loaded<S> & Pick<HeardOf, 'upTo'>) | null; loaded: Loaded<S>; hidden: BrokenHistory | null }> {
    try {
      const lately = attempt === 1 && this.writers === 'many processes' ? this.lately(aggregate, id) : null;
      return { lately, loaded: lately ?? (await this.load(aggregate, id)), hidden: null };
    } catch (error) {
      if (!(error instanceof BrokenHistory) || !isOfAnother(tenant, error)) throw error;
      return { lately: null, loaded: empty(aggregate), hidden: error };
    }
  }

  private fold<S extends Owned, C extends Message, E extends Message, R extends string>(
    { decider }: Aggregate<S, C, E, R>,
    loaded: Loaded<S>,
    events: readonly StoredEvent[],
  ): Loaded<S> {
    return events.reduce(({ state, end }, stored) => {
      try {
        const hash = this.codec.verify(stored, end.hash);
        const event = this.codec.decode(stored);
        return { state: decider.evolve(state, event as unknown as E, event.meta), end: { revision: stored.revision, hash } };
      } catch (error) {
        throw error instanceof BrokenHistory ? this.noted(error, state.tenant) : error;
      }
    }, loaded);
  }

  /**
   * "A deleted last event goes unnoticed: compare with what is stored elsewhere." Only a stream that is read anew is
   * compared; where read models follow at a distance, only one that the log does not have, so that commands ask no database.
   */
  private async refuseCutShort<S extends Owned>(stream: string, { state, end }: Loaded<S>): Promise<void> {
    if (this.writers === 'many processes' && end.revision !== 'none') return;
    const shown = await this.knowledge.shownRevision(stream);
    if (shown <= revisionNumber(end)) return;
    // It may have been recorded since the stream was read.
    const [recorded] = await this.store.readStream(stream, shown, 1);
    if (recorded) return;
    const revision = revisionNumber(end) + 1;
    const reason = `event ${revision} of ${stream} is missing: a read model shows the stream up to revision ${shown}`;
    throw this.noted(new BrokenHistory({ stream, revision, kind: 'altered', reason, tenant: null }), state.tenant);
  }

  private noted(error: BrokenHistory, tenant: string | null): BrokenHistory {
    const { faults } = this.knowledge;
    faults.note({ ...error.fault, tenant: error.fault.tenant ?? tenant });
    return new BrokenHistory(faults.of(error.fault.stream) ?? error.fault, { cause: error });
  }
}

/** "Another tenant's id is 404, as if it did not exist": to the rules too. */
const belongsTo = (tenant: string, state: Owned): boolean => state.tenant === null || state.tenant === tenant;

const empty = <S, C extends Message, E extends Message, R extends string>(aggregate: Aggregate<S, C, E, R>): Loaded<S> => ({
  state: aggregate.decider.initial,
  end: { revision: 'none', hash: '' },
});
