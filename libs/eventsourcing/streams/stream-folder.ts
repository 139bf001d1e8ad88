import type { AppendedEvent, EventCodec } from '../event-codec.js';
import { BrokenHistory, type StreamFaultLookup } from '../history.js';
import type { Message } from '../message.js';
import type { EventStore, StoredEvent } from '../ports/event-store.port.js';
import { emptyStream, evolve, revisionNumber, type Aggregate, type LoadedStream, type TenantScoped } from './aggregate.js';

/** Number of events per read. */
export const PAGE = 1000;

/** Folds the events of streams into states. */
export type Folder = {
  /** Folds the events that follow a loaded stream. Throws BrokenHistory on an altered or unreadable event. */
  fold<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    loaded: LoadedStream<S>,
    events: readonly StoredEvent[],
  ): LoadedStream<S>;
  /** Reads and folds the events after `start`. */
  foldRest<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    start: LoadedStream<S>,
  ): Promise<LoadedStream<S>>;
  /** Reads and folds a whole stream. */
  foldAll<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): Promise<LoadedStream<S>>;
  /** Called after events were appended to `before`. */
  keepSnapshot<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    before: LoadedStream<S>,
    after: LoadedStream<S>,
  ): void;
};

/** Folds streams from their start, and verifies their hash chains. */
export class StreamFolder implements Folder {
  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'verify' | 'decode'>,
    private readonly faults: StreamFaultLookup,
  ) {}

  fold<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
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
        throw error instanceof BrokenHistory ? recordFault(this.faults, error, current.state.tenant) : error;
      }
    }, loaded);
  }

  async foldRest<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
    start: LoadedStream<S>,
  ): Promise<LoadedStream<S>> {
    for (let loaded = start; ;) {
      const page = await this.store.readStream(stream, revisionNumber(loaded.end) + 1, PAGE);
      loaded = this.fold(aggregate, loaded, page);
      if (page.length < PAGE) return loaded;
    }
  }

  foldAll<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    stream: string,
  ): Promise<LoadedStream<S>> {
    return this.foldRest(aggregate, stream, emptyStream(aggregate));
  }

  keepSnapshot(): void {
    // Nothing is kept of a stream.
  }
}

/** Records a fault, and returns the error that reports it: an earlier fault of the stream comes first. */
export const recordFault = (faults: StreamFaultLookup, error: BrokenHistory, tenant: string | null): BrokenHistory => {
  faults.record({ ...error.fault, tenant: error.fault.tenant ?? tenant });
  return new BrokenHistory(faults.of(error.fault.stream) ?? error.fault, { cause: error });
};
