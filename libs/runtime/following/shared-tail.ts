import type { EventBatch, EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ObservedEventsOf } from '../../eventsourcing/stream-knowledge.js';

/** The newest events are kept for new subscribers and lookups: at most so many, and so many characters. */
const KEPT_EVENTS = 2_000;
const KEPT_CHARACTERS = 8_000_000;

/**
 * Lets all who follow the log in this process share one subscription once they have caught up, so that another read model
 * costs the store nothing. Each begins with a subscription of its own, and goes back to one when it falls behind.
 * A single event that came by lately is answered from memory: what was recorded never changes.
 */
export const shareTail = (store: EventStore): EventStore & { readonly heard: ObservedEventsOf } => {
  const tail = new Tail(store);
  return {
    append: (stream, expected, events) => store.append(stream, expected, events),
    readAll: (after, limit) => store.readAll(after, limit),
    async readStream(stream, from = 0, limit = Number.MAX_SAFE_INTEGER) {
      const known = limit === 1 ? tail.eventOf(stream, from) : undefined;
      return known ? [known] : store.readStream(stream, from, limit);
    },
    heard(stream, from) {
      const events: StoredEvent[] = [];
      for (let event = tail.eventOf(stream, from); event; event = tail.eventOf(stream, from + events.length)) events.push(event);
      // All that came after an event that is still among the recent ones is there, too.
      const isWhole = events.length > 0 || tail.eventOf(stream, from - 1) !== undefined;
      return { events, upTo: isWhole ? tail.reached() : 0 };
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

/** Who has joined: what came for it and was not taken yet. */
type Follower = { waiting: StoredEvent[]; ended: boolean; wake: () => void };

/** The end of the log as it comes in, and the newest events. */
class Tail {
  /** By stream and revision, in log order. */
  private readonly recent = new Map<string, StoredEvent>();
  private characters = 0;
  /** Every event after this position that came in is among the recent ones. */
  private from = 0;
  /** The position of the last that came in. */
  private to = 0;
  private readonly followers = new Set<Follower>();
  private running: AbortController | null = null;

  constructor(private readonly store: Pick<EventStore, 'subscribe'>) {}

  eventOf(stream: string, revision: number): StoredEvent | undefined {
    return this.recent.get(keyOf({ stream, revision }));
  }

  reached(): number {
    return this.to;
  }

  /** The events after a position as they come; ends when `signal` aborts, and when they can no longer be had from here. */
  async *after(at: number, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    this.running ??= this.start(at);
    if (at < this.from) return;
    const waiting = [...this.recent.values()].filter(({ position }) => position > at);
    const follower: Follower = { waiting, ended: false, wake: () => undefined };
    const wake = (): void => follower.wake();
    this.followers.add(follower);
    signal.addEventListener('abort', wake);
    try {
      let reached = at;
      while (!follower.ended && !signal.aborted) {
        // A new subscriber may have read further than the shared subscription has.
        const events = follower.waiting.filter(({ position }) => position > reached);
        follower.waiting = [];
        if (events.length > 0) yield events;
        else await new Promise<void>((resolve) => (follower.wake = resolve));
        reached = events.at(-1)?.position ?? reached;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.leave(follower);
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
      // Each subscriber reads on by itself, and gets the same failure if it lasts.
    }
    if (this.running !== running) return;
    this.running = null;
    for (const follower of this.followers) end(follower);
  }

  private take({ events }: EventBatch): void {
    for (const event of events) {
      this.recent.set(keyOf(event), event);
      this.characters += sizeOf(event);
      this.to = event.position;
    }
    this.forgetOldest();
    for (const follower of this.followers) {
      follower.waiting.push(...events);
      if (follower.waiting.length > KEPT_EVENTS) end(follower);
      else follower.wake();
    }
  }

  private forgetOldest(): void {
    for (const [key, event] of this.recent) {
      if (this.recent.size <= KEPT_EVENTS && this.characters <= KEPT_CHARACTERS) break;
      this.recent.delete(key);
      this.characters -= sizeOf(event);
      this.from = event.position;
    }
  }

  private leave(follower: Follower): void {
    this.followers.delete(follower);
    if (this.followers.size > 0) return;
    this.running?.abort();
    this.running = null;
  }
}

/** What waits for it is forgotten: it will read it by itself. */
const end = (follower: Follower): void => {
  follower.ended = true;
  follower.waiting = [];
  follower.wake();
};

const keyOf = ({ stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>): string => `${revision}@${stream}`;

const sizeOf = ({ data, metadata }: StoredEvent): number => data.length + metadata.length;
