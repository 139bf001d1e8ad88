import type { EventBatch, EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadObservedEvents } from '../../eventsourcing/streams/stream-knowledge.js';

/** Limits of the cache of the newest events: the number of events, and their characters in total. */
const MAX_EVENTS = 2_000;
const MAX_CHARACTERS = 8_000_000;

/**
 * Wraps a store so that all subscribers in this process that have caught up share one subscription. So further read models add
 * no load to the store. Until a subscriber has caught up, it has a subscription of its own. A subscriber whose next events are no
 * longer cached gets its own subscription again. `readStream` reads a single event from the cache if possible, because recorded
 * events never change.
 */
export const shareTail = (store: EventStore): EventStore & { readonly observedEvents: ReadObservedEvents } => {
  const tail = new Tail(store);
  return {
    append: (stream, expected, events) => store.append(stream, expected, events),
    readAll: (after, limit) => store.readAll(after, limit),
    async readStream(stream, from = 0, limit = Number.MAX_SAFE_INTEGER) {
      const cached = limit === 1 ? tail.cachedEvent(stream, from) : undefined;
      return cached ? [cached] : store.readStream(stream, from, limit);
    },
    observedEvents(stream, from) {
      const events: StoredEvent[] = [];
      for (let event = tail.cachedEvent(stream, from); event; event = tail.cachedEvent(stream, from + events.length)) events.push(event);
      // If an event is cached, all later events of the log are cached too. So if the event before `from` is cached but the
      // event at `from` is not, the stream has no event at `from` yet. `upTo` 0 means unknown.
      const isComplete = events.length > 0 || tail.cachedEvent(stream, from - 1) !== undefined;
      return { events, upTo: isComplete ? tail.lastPosition() : 0 };
    },
    async *subscribe(after, signal) {
      // Each round begins with a separate subscription. When it has caught up, the round continues with the shared subscription.
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

/** The end of the log: the shared subscription, a cache of its newest events, and its subscribers. */
class Tail {
  /** The cached events by stream and revision, in log order. */
  private readonly recent = new Map<string, StoredEvent>();
  private characters = 0;
  /** The cache has every event that arrived after this position. */
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
   * Yields the events after a position as they arrive. Ends when `signal` aborts, when the shared subscription ends, or when
   * the cache no longer has the next events.
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
        // A new subscriber may have read more than the shared subscription. It skips the events that it has already read.
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

/** Ends a subscriber and drops its unread events. The subscriber reads these events again with its own subscription. */
const endSubscriber = (subscriber: Subscriber): void => {
  subscriber.ended = true;
  subscriber.waiting = [];
  subscriber.wake();
};

const keyOf = ({ stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>): string => `${revision}@${stream}`;

const sizeOf = ({ data, metadata }: StoredEvent): number => data.length + metadata.length;
