import { checkpointOf, type Documents, type DocumentWrite } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { LeaseLost, type Lease } from '../../eventsourcing/ports/leases.port.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream, ProjectionRun, Projector } from '../../eventsourcing/projection.js';
import { HistoryReader } from '../codec/history-reader.js';
import { CachedDocuments } from './cached-documents.js';
import { park, parkedStreams, unpark } from './parked-streams.js';
import type { StreamFaults } from './stream-faults.js';

const PAGE = 1_000;

export type ProjectingParts = {
  readonly store: Pick<EventStore, 'readStream'>;
  /** Every version as it is, so that a new one builds on what it has itself. */
  readonly documents: Documents;
  readonly codec: ReadCodec;
  /** The broken streams; what the codec finds is noted there. */
  readonly faults: Pick<StreamFaults, 'of' | 'all' | 'clear'>;
  readonly projector: Projector;
  /** What every write is made under. */
  readonly lease: Lease;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
};

/** One projection at work, from its stored position on: batches of events are folded in memory and written in one step. */
export class Projecting {
  readonly name: string;
  private readonly documents: CachedDocuments;
  private readonly parked = new Map<string, ParkedStream>();
  private retries = 0;
  private readonly history: HistoryReader;

  private constructor(
    private readonly parts: ProjectingParts,
    /** How far it has come, whether or not that is stored. */
    private at: number,
    private stored: number,
  ) {
    this.name = checkpointOf(parts.projector.collection);
    this.history = new HistoryReader(parts);
    this.documents = new CachedDocuments(parts.documents, parts.projector.collection);
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
    const { events: usable, faults } = await this.history.read(own, (stream) => this.isWaiting(stream));
    const broken = faults.map(asParked(own));
    const keys = [...documentsOf(usable), ...broken.map(({ stream }) => aggregateIdOf(stream))];
    if (!(await this.documents.load(keys)) && own.length > 1) return this.takeHalves(events);
    const isBroken = streamsOf(broken);
    const { writes, parked } = this.project(usable, (stream) => isBroken.has(stream));
    await this.write([...writes, ...this.withdrawals(broken)], [...parked, ...broken], last);
  }

  /** Whether the events of a stream are not to be looked at: it is parked, or is about to be. */
  private isWaiting(stream: string): boolean {
    return this.parked.has(stream) || this.parts.faults.of(stream) !== undefined;
  }

  /** Parks the streams that others found broken, and takes their documents out. */
  async withdrawBroken(): Promise<void> {
    const { faults, projector } = this.parts;
    const found = faults.all().filter(({ stream }) => categoryOf(stream) === projector.category && !this.parked.has(stream));
    if (found.length === 0) return;
    const broken = found.map(asParked([]));
    await this.documents.load(broken.map(({ stream }) => aggregateIdOf(stream)));
    await this.writeAside([...this.withdrawals(broken), ...broken.map((stream) => park(this.name, stream))]);
    for (const stream of broken) this.nowParked(stream);
  }

  private withdrawals(broken: readonly ParkedStream[]): readonly DocumentWrite[] {
    return broken.flatMap(({ stream }) => {
      const document = this.documents.get(aggregateIdOf(stream));
      return document ? this.parts.projector.withdraw(document) : [];
    });
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

  /** From the first event on: what was projected of a stream before it was found broken is gone, or must be checked again. */
  private async retry(stream: string): Promise<boolean> {
    const { faults } = this.parts;
    await this.documents.load([aggregateIdOf(stream)]);
    const stored = await this.storedOf(stream);
    const run = await new HistoryReader(this.parts).read(stored);
    const broken = stillBroken(faults.of(stream), run.faults[0], stored);
    const { writes, parked } = broken ? { writes: [], parked: [asParked(stored)(broken)] } : this.projectOnto(run.events);
    const [still] = parked;
    const withdrawn = broken ? this.withdrawals(parked) : [];
    await this.writeAside([...writes, ...withdrawn, still ? park(this.name, still) : unpark(this.name, stream)]);
    if (still) this.parked.set(stream, still);
    else this.parked.delete(stream);
    if (!broken && faults.of(stream)) await faults.clear(stream);
    return !still;
  }

  private async storedOf(stream: string): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let from = 0; ; from += PAGE) {
      const page = await this.parts.store.readStream(stream, from, PAGE);
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  }

  /** Writes beside the batches, whose position stays where it is. */
  private async writeAside(writes: readonly DocumentWrite[]): Promise<void> {
    const { documents, lease } = this.parts;
    if (!(await documents.apply(writes, { name: retriesOf(this.name), position: ++this.retries, lease }))) throw this.superseded();
    this.documents.update(writes);
  }

  private async write(writes: readonly DocumentWrite[], parked: readonly ParkedStream[], position: number): Promise<void> {
    const { documents, lease } = this.parts;
    const all = [...writes, ...parked.map((stream) => park(this.name, stream))];
    if (!(await documents.apply(all, { name: this.name, position, lease }))) throw this.superseded();
    this.at = this.stored = position;
    this.documents.update(writes);
    for (const stream of parked) this.nowParked(stream);
  }

  private nowParked(stream: ParkedStream): void {
    this.parked.set(stream.stream, stream);
    this.parts.onParked(this.name, stream);
  }

  /** Under a lease that still holds, a stored position can be ahead only when somebody has begun it anew. */
  private superseded(): LeaseLost {
    return new LeaseLost(`${this.name} was moved on by somebody else`);
  }

  /** Events of which the documents may hold some already. */
  private projectOnto(events: readonly RecordedEvent[]): ProjectionRun {
    return this.parts.projector.project(
      events,
      (key) => this.documents.get(key),
      () => false,
    );
  }

  private project(events: readonly RecordedEvent[], isParked: (stream: string) => boolean) {
    const fresh = freshIn(events);
    return this.parts.projector.project(events, (key) => (fresh.has(key) ? null : this.documents.get(key)), isParked);
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

/** A broken stream as it is parked: at the event at fault, where it was met. */
const asParked =
  (events: readonly StoredEvent[]) =>
  ({ stream, revision, reason }: HistoryFault): ParkedStream => {
    const position = events.find((event) => event.stream === stream && event.revision >= revision)?.position ?? 0;
    return { stream, revision, position, reason };
  };

const streamsOf = (parked: readonly ParkedStream[]): ReadonlySet<string> => new Set(parked.map(({ stream }) => stream));

/** A stream that lost events at its end is whole as far as it goes: it is broken until the missing ones are back. */
export const stillBroken = (
  known: HistoryFault | undefined,
  found: HistoryFault | undefined,
  events: readonly Pick<StoredEvent, 'revision'>[],
): HistoryFault | undefined => found ?? (known && (events.at(-1)?.revision ?? -1) < known.revision ? known : undefined);

const retriesOf = (name: string): string => `${name}_retries`;
