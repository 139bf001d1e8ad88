import type { EventCodec } from './event-codec.js';
import { handle, type HandleOptions, type HandleResult, type HandlingPorts } from './handle.js';
import { handleObserved } from './handle-observed.js';
import type { CommandContext, Message } from './message.js';
import type { EventStore } from './ports/event-store.port.js';
import type { Aggregate, LoadedStream, TenantScoped } from './streams/aggregate.js';
import { StreamLoader } from './streams/stream-loader.js';
import {
  NO_KNOWLEDGE,
  type ObservedEvents,
  type ReadObservedEvents,
  type StreamKnowledge,
  type Writers,
} from './streams/stream-knowledge.js';

/** Loads aggregates, and handles commands on them. */
export class Aggregates {
  private readonly ports: HandlingPorts;

  constructor(
    store: EventStore,
    codec: EventCodec,
    private readonly writers: Writers = 'this process',
    observedEvents: ReadObservedEvents = () => ({ events: [], upTo: 0 }),
    knowledge: StreamKnowledge = NO_KNOWLEDGE,
  ) {
    this.ports = { store, codec, streams: new StreamLoader(store, codec, writers, observedEvents, knowledge) };
  }

  /** Folds the aggregate's stream and verifies its hash chain. Rejects with BrokenHistory on an altered or unreadable event. */
  load<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<LoadedStream<S>> {
    return this.ports.streams.load(aggregate, id);
  }

  /** Folds the events that this process has observed, see `StreamLoader.loadCached`. */
  loadCached<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): (LoadedStream<S> & Pick<ObservedEvents, 'upTo'>) | null {
    return this.ports.streams.loadCached(aggregate, id);
  }

  /** Handles a command: see `handle`, and `handleObserved` where many processes write. */
  handle<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    command: C,
    context: CommandContext,
    options: HandleOptions<S> = {},
  ): Promise<HandleResult<S, E, R>> {
    const handling = this.writers === 'many processes' ? handleObserved : handle;
    return handling(this.ports, aggregate, id, command, context, options);
  }
}
