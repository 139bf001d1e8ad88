import { isRejection, rejected, type Decider, type Rejection } from './decider.js';
import type { EncodedEvent, EventStore, ExpectedRevision, StoredEvent } from './event-store.port.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';

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
  /** Upcasts to today's shape; personal fields stay sealed. Throws on a type it does not know. */
  decode(event: StoredEvent): RecordedEvent;
  /** The event's hash, after checking it and its link to `previousHash`. Throws when the history was altered. */
  verify(event: StoredEvent, previousHash: string): string;
}

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

/** Folded streams, the least recently used forgotten first. Only ever a shortcut: a conflict drops the entry, or has what came after it read. */
class StreamCache {
  private readonly entries = new Map<string, Loaded<unknown>>();
  constructor(private readonly capacity: number) {}

  get(stream: string): Loaded<unknown> | undefined {
    const entry = this.entries.get(stream);
    if (entry) {
      this.entries.delete(stream);
      this.entries.set(stream, entry);
    }
    return entry;
  }

  /** Keeps the newer of two: of concurrent commands the later to return may have read the earlier state. */
  put(stream: string, entry: Loaded<unknown>): void {
    const known = this.entries.get(stream);
    if (known && revisionNumber(known.end) > revisionNumber(entry.end)) return;
    this.entries.delete(stream);
    this.entries.set(stream, entry);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value as string);
  }

  /** Forgets what a conflict proved stale; what another command has put there since stays. */
  drop(stream: string, stale: Loaded<unknown>): void {
    if (this.entries.get(stream) === stale) this.entries.delete(stream);
  }
}

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

/** Loads, decides and appends; the heart of every command. */
export class Aggregates {
  private readonly cache = new StreamCache(CACHED_STREAMS);

  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly writers: Writers = 'this process',
    private readonly heard: Heard = () => ({ events: [], upTo: 0 }),
  ) {}

  /** Folds the aggregate's stream, verifying its hash chain. */
  async load<S extends Owned, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<Loaded<S>> {
    const stream = `${aggregate.category}-${id}`;
    const cached = this.cache.get(stream) as Loaded<S> | undefined;
    if (cached && this.writers === 'this process') return cached;
    let loaded = cached ?? empty(aggregate);
    for (let from = revisionNumber(loaded.end) + 1; ; from += PAGE) {
      const page = await this.store.readStream(stream, from, PAGE);
      loaded = this.fold(aggregate, loaded, page);
      if (page.length < PAGE) break;
    }
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
    const known = (this.cache.get(stream) as Loaded<S> | undefined) ?? empty(aggregate);
    const { events, upTo } = this.heard(stream, revisionNumber(known.end) + 1);
    const loaded = this.fold(aggregate, known, events);
    return loaded.end.revision === 'none' ? null : { ...loaded, upTo };
  }

  /**
   * Carries out a command on one aggregate. A conflict with another writer reloads and decides again, MAX_ATTEMPTS
   * times at most; under a precondition it does not. Where others write too, what is to be appended is decided on what this
   * process has heard of the stream, and that nothing is left to do where it has heard everything up to the event that caused the
   * command; everything else on what stands in the store. Rejects with StoreUnavailable when the store does.
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
      const lately = attempt === 1 && !given && this.writers === 'many processes' ? this.lately(aggregate, id) : null;
      const loaded = given ?? lately ?? (await this.load(aggregate, id));
      const isOwn = belongsTo(context.tenant, loaded.state);
      const decision = aggregate.decider.decide(command, isOwn ? loaded.state : aggregate.decider.initial);
      const isMet = precondition?.(loaded) ?? true;
      const heardItsCause = lately !== null && (context.causedAt ?? Infinity) <= lately.upTo;
      if (lately && (isRejection(decision) || !isMet || (decision.length === 0 && !heardItsCause))) continue;
      if (isRejection(decision)) return decision;
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

  private fold<S, C extends Message, E extends Message, R extends string>(
    { decider }: Aggregate<S, C, E, R>,
    loaded: Loaded<S>,
    events: readonly StoredEvent[],
  ): Loaded<S> {
    return events.reduce(({ state, end }, stored) => {
      const hash = this.codec.verify(stored, end.hash);
      const event = this.codec.decode(stored);
      return { state: decider.evolve(state, event as unknown as E, event.meta), end: { revision: stored.revision, hash } };
    }, loaded);
  }
}

/** "Another tenant's id is 404, as if it did not exist": to the rules too. */
const belongsTo = (tenant: string, state: Owned): boolean => state.tenant === null || state.tenant === tenant;

const empty = <S, C extends Message, E extends Message, R extends string>(aggregate: Aggregate<S, C, E, R>): Loaded<S> => ({
  state: aggregate.decider.initial,
  end: { revision: 'none', hash: '' },
});
