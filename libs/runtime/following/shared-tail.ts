import type { EventBatch, EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadObservedEvents } from '../../eventsourcing/stream-knowledge.js';

/** The newest events are cached for new subscribers and lookups, up to these limits. */
const MAX_EVENTS = 2_000;
const MAX_CHARACTERS = 8_000_000;

/**
 * Shares one subscription among all subscribers in this process that have caught up, so that further read
 * models do not add load to the store. A subscriber has its own subscription at first, and again when it
 * falls behind. Single recent events are read from the cache, because recorded events never change.
 */
export const shareTail = (store: EventStore): EventStore & { readonly observedEvents: ReadObservedEvents } => {
  const tail = new Tail(store);
  return {
    append: (stream, expected, events) => store.append(stream, expected, events),
    readAll: (after, limit) => store.readAll(after, limit),
    async readStream(stream, from = 0, limit = Number.MAX_SAFE_INTEGER) {
      const known = limit === 1 ? tail.cachedEvent(stream, from) : undefined;
      return known ? [known] : store.readStream(stream, from, limit);
    },
    observedEvents(stream, from) {
      const events: StoredEvent[] = [];
      for (let event = tail.cachedEvent(stream, from); event; event = tail.cachedEvent(stream, from + events.length)) events.push(event);
      // If an event is cached, all later events are cached too. So if only the event before `from` is cached, the
      // stream has no event at `from` yet. `upTo` 0 means unknown.
      const isComplete = events.length > 0 || tail.cachedEvent(stream, from - 1) !== undefined;
      return { events, upTo: isComplete ? tail.lastPosition() : 0 };
    },
    async *subscribe(after, signal) {
      for (let at = after; !signal.aborted;) {
        let caughtUp = false;
        for await (const batch of store.subscribe(at, signal)) {
          yield batch;
          at = batch.events.at(-1)?.position ?? at;
          ({ caughtUp } = batch);
          if (caughtUp) break;
        }
        if (!caughtUp) return;
        for await (const events of tail.after(at, signal)) {
          yield { events, caughtUp: true };
          at = events.at(-1)?.position ?? at;
        }
      }
    },
  };
};

/** A subscriber of the tail, with the events that it has not read yet. */
type Subscriber = { waiting: StoredEvent[]; ended: boolean; wake: () => void };

/** The newest events of the log, as they arrive. */
class Tail {
  /** By stream and revision, in log order. */
  private readonly recent = new Map<string, StoredEvent>();
  private characters = 0;
  /** Every event that arrived after this position is cached. */
  private from = 0;
  /** The position of the last event that arrived. */
  private to = 0;
  private readonly subscribers = new Set<Subscriber>();
  private running: AbortController | null = null;

  constructor(private readonly store: Pick<EventStore, 'subscribe'>) {}

  cachedEvent(stream: string, revision: number): StoredEvent | undefined {
    return this.recent.get(keyOf({ stream, revision }));
  }

  lastPosition(): number {
    return this.to;
  }

  /**
   * Yields the events after a position as they arrive. Ends when `signal` aborts, or when the cache no longer
   * has them.
   */
  async *after(at: number, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    this.running ??= this.start(at);
    if (at < this.from) return;
    const waiting = [...this.recent.values()].filter(({ position }) => position > at);
    const subscriber: Subscriber = { waiting, ended: false, wake: () => undefined };
    const wake = (): void => subscriber.wake();
    this.subscribers.add(subscriber);
    signal.addEventListener('abort', wake);
    try {
      let reached = at;
      while (!subscriber.ended && !signal.aborted) {
        // A new subscriber may have read further than the shared subscription.
        const events = subscriber.waiting.filter(({ position }) => position > reached);
        subscriber.waiting = [];
        if (events.length > 0) yield events;
        else await new Promise<void>((resolve) => (subscriber.wake = resolve));
        reached = events.at(-1)?.position ?? reached;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.unsubscribe(subscriber);
    }
  }

  private start(at: number): AbortController {
    const running = new AbortController();
    this.recent.clear();
    this.characters = 0;
    this.from = this.to = at;
    void this.run(at, running);
    return running;
  }

  private async run(at: number, running: AbortController): Promise<void> {
    try {
      for await (const batch of this.store.subscribe(at, running.signal)) if (this.running === running) this.take(batch);
    } catch {
      // Each subscriber continues with its own subscription, which reports the failure if it persists.
    }
    if (this.running !== running) return;
    this.running = null;
    for (const subscriber of this.subscribers) endSubscriber(subscriber);
  }

  private take({ events }: EventBatch): void {
    for (const event of events) {
      this.recent.set(keyOf(event), event);
      this.characters += sizeOf(event);
      this.to = event.position;
    }
    this.evictOldest();
    for (const subscriber of this.subscribers) {
      subscriber.waiting.push(...events);
      if (subscriber.waiting.length > MAX_EVENTS) endSubscriber(subscriber);
      else subscriber.wake();
    }
  }

  private evictOldest(): void {
    for (const [key, event] of this.recent) {
      if (this.recent.size <= MAX_EVENTS && this.characters <= MAX_CHARACTERS) break;
      this.recent.delete(key);
      this.characters -= sizeOf(event);
      this.from = event.position;
    }
  }

  private unsubscribe(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    if (this.subscribers.size > 0) return;
    this.running?.abort();
    this.running = null;
  }
}

/** Ends a subscriber and drops its unread events. It reads them again with its own subscription. */
const endSubscriber = (subscriber: Subscriber): void => {
  subscriber.ended = true;
  subscriber.waiting = [];
  subscriber.wake();
};

const keyOf = ({ stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>): string => `${revision}@${stream}`;

const sizeOf = ({ data, metadata }: StoredEvent): number => data.length + metadata.length;
