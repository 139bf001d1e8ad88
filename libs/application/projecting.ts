import { checkpointOf, type Documents, type DocumentWrite, type StoredDocument } from '../eventsourcing/documents.port.js';
import type { EventStore, StoredEvent } from '../eventsourcing/event-store.port.js';
import { LeaseLost, type Lease } from '../eventsourcing/leases.port.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../eventsourcing/projection.js';
import { park, parkedStreams, unpark } from './parked-streams.js';

/** Documents remembered between batches: whoever has the lease is their only writer. */
const REMEMBERED = 20_000;
/** Characters of theirs, whichever is reached first. */
const REMEMBERED_CHARACTERS = 64_000_000;
/** Documents asked for at the same time. */
const LOADED_AT_ONCE = 200;
/** Characters of documents worked on in one step: each is written anew, and a transaction takes only so much. */
const MOST_CHARACTERS = 8_000_000;
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
  private characters = 0;
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
    if (!(await this.load(documentsOf(readable))) && own.length > 1) return this.takeHalves(events);
    const { writes, parked } = this.project(readable, (stream) => this.parked.has(stream));
    await this.write(writes, firstOf(parked, unreadable), last);
  }

  private async takeHalves(events: readonly StoredEvent[]): Promise<void> {
    const middle = Math.ceil(events.length / 2);
    await this.take(events.slice(0, middle));
    await this.take(events.slice(middle));
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
    const { writes, parked } = this.project(readable, () => false);
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

  private project(events: readonly RecordedEvent[], isParked: (stream: string) => boolean) {
    const fresh = freshIn(events);
    return this.parts.projector.project(events, (key) => (fresh.has(key) ? null : (this.documents.get(key) ?? null)), isParked);
  }

  /** Answers whether all of them are there, and are not too much to be worked on in one step. */
  private async load(keys: readonly string[]): Promise<boolean> {
    const { documents, projector } = this.parts;
    const wanted = [...new Set(keys)];
    this.forgetBefore(wanted);
    let characters = 0;
    for (let from = 0; from < wanted.length; from += LOADED_AT_ONCE) {
      const some = wanted.slice(from, from + LOADED_AT_ONCE);
      const missing = some.filter((key) => !this.documents.has(key));
      await Promise.all(missing.map(async (key) => this.keep(key, await documents.get(projector.collection, key))));
      for (const key of some) characters += sizeOf(this.documents.get(key));
      if (characters > MOST_CHARACTERS) return false;
    }
    return true;
  }

  private forgetBefore(wanted: readonly string[]): void {
    const missing = wanted.filter((key) => !this.documents.has(key)).length;
    if (this.documents.size + missing <= REMEMBERED && this.characters <= REMEMBERED_CHARACTERS) return;
    const needed = new Set(wanted);
    for (const [key, document] of this.documents) {
      if (needed.has(key)) continue;
      this.documents.delete(key);
      this.characters -= sizeOf(document);
    }
  }

  private keep(key: string, document: StoredDocument | null): void {
    this.characters += sizeOf(document) - sizeOf(this.documents.get(key));
    this.documents.set(key, document);
  }

  private remember(writes: readonly DocumentWrite[]): void {
    for (const write of writes) {
      if (write.kind === 'put') this.keep(write.document.key, write.document);
      else if (write.kind === 'delete') this.keep(write.key, null);
    }
  }
}

/** A stream whose first event is among them has no document yet. */
const freshIn = (events: readonly RecordedEvent[]): ReadonlySet<string> =>
  new Set(events.filter(({ meta }) => meta.revision === 0).map(({ meta }) => aggregateIdOf(meta.stream)));

/** The documents that these events change. */
const documentsOf = (events: readonly RecordedEvent[]): readonly string[] => {
  const fresh = freshIn(events);
  return events.map(({ meta }) => aggregateIdOf(meta.stream)).filter((key) => !fresh.has(key));
};

const sizeOf = (document: StoredDocument | null | undefined): number => document?.json.length ?? 0;

/** What of a stream could be read comes before what could not. */
const firstOf = (parked: readonly ParkedStream[], unreadable: readonly ParkedStream[]): readonly ParkedStream[] => {
  const streams = new Set(parked.map(({ stream }) => stream));
  return [...parked, ...unreadable.filter(({ stream }) => !streams.has(stream))];
};

const retriesOf = (name: string): string => `${name}_retries`;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
