import { checkpointOf, type Documents, type DocumentWrite, type StoredDocument } from '../eventsourcing/documents.port.js';
import type { EventStore, StoredEvent } from '../eventsourcing/event-store.port.js';
import { LeaseLost, type Lease } from '../eventsourcing/leases.port.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../eventsourcing/projection.js';
import { park, parkedStreams, unpark } from './parked-streams.js';

/** Documents remembered between batches: whoever has the lease is their only writer. */
const REMEMBERED = 20_000;
const PAGE = 1_000;

export type ProjectingParts = {
  readonly store: Pick<EventStore, 'readStream'>;
  /** Every version as it is, so that a new one builds on what it has itself. */
  readonly documents: Documents;
  readonly decode: (event: StoredEvent) => RecordedEvent;
  readonly projector: Projector;
  /** What every write is made under. */
  readonly lease: Lease;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
};

/** One projection at work, from its stored position on: batches of events are folded in memory and written in one step. */
export class Projecting {
  readonly name: string;
  private readonly documents = new Map<string, StoredDocument | null>();
  private readonly parked = new Map<string, ParkedStream>();
  private retries = 0;

  private constructor(
    private readonly parts: ProjectingParts,
    /** How far it has come, whether or not that is stored. */
    private at: number,
    private stored: number,
  ) {
    this.name = checkpointOf(parts.projector.collection);
  }

  static async begin(parts: ProjectingParts): Promise<Projecting> {
    const name = checkpointOf(parts.projector.collection);
    const position = await parts.documents.checkpoint(name);
    const projecting = new Projecting(parts, position, position);
    projecting.retries = await parts.documents.checkpoint(retriesOf(name));
    for (const stream of await parkedStreams(parts.documents, name)) projecting.parked.set(stream.stream, stream);
    return projecting;
  }

  position(): number {
    return this.at;
  }

  /** Whether it has come further than is stored, past events that are none of its own. */
  isUnstored(): boolean {
    return this.at > this.stored;
  }

  /** Takes events in log order. What is none of its business only moves it on, and is stored with what comes next. */
  async take(events: readonly StoredEvent[]): Promise<void> {
    const { category } = this.parts.projector;
    const own = events.filter(({ stream, position }) => position > this.at && categoryOf(stream) === category);
    const last = events.at(-1)?.position ?? this.at;
    if (own.length === 0) {
      this.at = Math.max(this.at, last);
      return;
    }
    const { readable, unreadable } = this.decodeAll(own);
    const { writes, parked } = await this.project(readable, (stream) => this.parked.has(stream));
    await this.write(writes, firstOf(parked, unreadable), last);
  }

  /** Stores how far it has come. */
  async store(): Promise<void> {
    if (this.isUnstored()) await this.write([], [], this.at);
  }

  /** Tries every parked stream again; answers how many came free. */
  async retryParked(): Promise<number> {
    let freed = 0;
    for (const { stream } of [...this.parked.values()]) if (await this.retry(stream)) freed++;
    return freed;
  }

  private async retry(stream: string): Promise<boolean> {
    const { store, documents, lease } = this.parts;
    const key = aggregateIdOf(stream);
    await this.load([key]);
    const events: StoredEvent[] = [];
    for (let from = (this.documents.get(key)?.revision ?? -1) + 1; ; from += PAGE) {
      const page = await store.readStream(stream, from, PAGE);
      events.push(...page);
      if (page.length < PAGE) break;
    }
    const { readable, unreadable } = this.decodeAll(events);
    const { writes, parked } = await this.project(readable, () => false);
    const [still] = firstOf(parked, unreadable);
    const all = [...writes, still ? park(this.name, still) : unpark(this.name, stream)];
    if (!(await documents.apply(all, { name: retriesOf(this.name), position: ++this.retries, lease }))) throw this.superseded();
    this.remember(writes);
    if (still) this.parked.set(stream, still);
    else this.parked.delete(stream);
    return !still;
  }

  private async write(writes: readonly DocumentWrite[], parked: readonly ParkedStream[], position: number): Promise<void> {
    const { documents, lease, onParked } = this.parts;
    const all = [...writes, ...parked.map((stream) => park(this.name, stream))];
    if (!(await documents.apply(all, { name: this.name, position, lease }))) throw this.superseded();
    this.at = this.stored = position;
    this.remember(writes);
    for (const stream of parked) {
      this.parked.set(stream.stream, stream);
      onParked(this.name, stream);
    }
  }

  /** Under a lease that still holds, a stored position can be ahead only when somebody has begun it anew. */
  private superseded(): LeaseLost {
    return new LeaseLost(`${this.name} was moved on by somebody else`);
  }

  private decodeAll(events: readonly StoredEvent[]): { readable: readonly RecordedEvent[]; unreadable: readonly ParkedStream[] } {
    const readable: RecordedEvent[] = [];
    const unreadable = new Map<string, ParkedStream>();
    for (const event of events) {
      const { stream, revision, position } = event;
      if (unreadable.has(stream)) continue;
      try {
        readable.push(this.parts.decode(event));
      } catch (error) {
        if (!this.parked.has(stream)) unreadable.set(stream, { stream, revision, position, reason: reasonOf(error) });
      }
    }
    return { readable, unreadable: [...unreadable.values()] };
  }

  private async project(events: readonly RecordedEvent[], isParked: (stream: string) => boolean) {
    // A stream whose first event is among them has no document yet.
    const fresh = new Set(events.filter(({ meta }) => meta.revision === 0).map(({ meta }) => aggregateIdOf(meta.stream)));
    await this.load(events.map(({ meta }) => aggregateIdOf(meta.stream)).filter((key) => !fresh.has(key)));
    return this.parts.projector.project(events, (key) => (fresh.has(key) ? null : (this.documents.get(key) ?? null)), isParked);
  }

  private async load(keys: readonly string[]): Promise<void> {
    const { documents, projector } = this.parts;
    const missing = [...new Set(keys)].filter((key) => !this.documents.has(key));
    if (this.documents.size + missing.length > REMEMBERED) {
      const needed = new Set(keys);
      for (const key of this.documents.keys()) if (!needed.has(key)) this.documents.delete(key);
    }
    await Promise.all(missing.map(async (key) => this.documents.set(key, await documents.get(projector.collection, key))));
  }

  private remember(writes: readonly DocumentWrite[]): void {
    for (const write of writes) {
      if (write.kind === 'put') this.documents.set(write.document.key, write.document);
      else if (write.kind === 'delete') this.documents.set(write.key, null);
    }
  }
}

/** What of a stream could be read comes before what could not. */
const firstOf = (parked: readonly ParkedStream[], unreadable: readonly ParkedStream[]): readonly ParkedStream[] => {
  const streams = new Set(parked.map(({ stream }) => stream));
  return [...parked, ...unreadable.filter(({ stream }) => !streams.has(stream))];
};

const retriesOf = (name: string): string => `${name}_retries`;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
