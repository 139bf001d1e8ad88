import { checkpointOf, type Documents, type DocumentWrite } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { LeaseLost, type Lease } from '../../eventsourcing/ports/leases.port.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream, ProjectionResult, Projector } from '../../eventsourcing/projection.js';
import { HistoryReader } from '../codec/history-reader.js';
import { CachedDocuments } from './cached-documents.js';
import { parkWrite, readParkedStreams, unparkWrite } from './parked-streams.js';
import type { StreamFaults } from './stream-faults.js';

const PAGE = 1_000;

export type ProjectionWorkerParts = {
  readonly store: Pick<EventStore, 'readStream'>;
  /** The documents of all versions. A new version is built beside the old one. */
  readonly documents: Documents;
  readonly codec: ReadCodec;
  /** The broken streams. The codec records its faults there. */
  readonly faults: Pick<StreamFaults, 'of' | 'all' | 'clear'>;
  readonly projector: Projector;
  /** The lease for every write. */
  readonly lease: Lease;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
};

/**
 * A running projection, from its stored position on. It folds batches of events in memory and writes each in
 * one transaction.
 */
export class ProjectionWorker {
  readonly name: string;
  private readonly documents: CachedDocuments;
  private readonly parked = new Map<string, ParkedStream>();
  private retries = 0;
  private readonly history: HistoryReader;

  private constructor(
    private readonly parts: ProjectionWorkerParts,
    /** The position reached, stored or not. */
    private at: number,
    private stored: number,
  ) {
    this.name = checkpointOf(parts.projector.collection);
    this.history = new HistoryReader(parts);
    this.documents = new CachedDocuments(parts.documents, parts.projector.collection);
  }

  static async open(parts: ProjectionWorkerParts): Promise<ProjectionWorker> {
    const name = checkpointOf(parts.projector.collection);
    const position = await parts.documents.checkpoint(name);
    const projecting = new ProjectionWorker(parts, position, position);
    projecting.retries = await parts.documents.checkpoint(retryCheckpointOf(name));
    for (const stream of await readParkedStreams(parts.documents, name)) projecting.parked.set(stream.stream, stream);
    return projecting;
  }

  position(): number {
    return this.at;
  }

  /** Returns whether it has passed events of other categories since the position was stored. */
  hasUnstoredPosition(): boolean {
    return this.at > this.stored;
  }

  /**
   * Applies events in log order. Events of other categories only move the position, which is stored with the
   * next write.
   */
  async apply(events: readonly StoredEvent[]): Promise<void> {
    const { category } = this.parts.projector;
    const own = events.filter(({ stream, position }) => position > this.at && categoryOf(stream) === category);
    const last = events.at(-1)?.position ?? this.at;
    if (own.length === 0) {
      this.at = Math.max(this.at, last);
      return;
    }
    const { events: usable, faults } = await this.history.read(own, (stream) => this.isSkipped(stream));
    const broken = faults.map(toParkedStream(own));
    const keys = [...documentsOf(usable), ...broken.map(({ stream }) => aggregateIdOf(stream))];
    if (!(await this.documents.load(keys)) && own.length > 1) return this.applyHalves(events);
    const isBroken = streamsOf(broken);
    const { writes, parked } = this.project(usable, (stream) => isBroken.has(stream));
    await this.write([...writes, ...this.removalWrites(broken)], [...parked, ...broken], last);
  }

  /** Returns whether the events of a stream are skipped, because it is parked or broken. */
  private isSkipped(stream: string): boolean {
    return this.parked.has(stream) || this.parts.faults.of(stream) !== undefined;
  }

  /** Parks the streams that other readers of the log found broken, and removes their documents. */
  async removeBrokenDocuments(): Promise<void> {
    const { faults, projector } = this.parts;
    const found = faults.all().filter(({ stream }) => categoryOf(stream) === projector.category && !this.parked.has(stream));
    if (found.length === 0) return;
    const broken = found.map(toParkedStream([]));
    await this.documents.load(broken.map(({ stream }) => aggregateIdOf(stream)));
    await this.writeOutsideBatch([...this.removalWrites(broken), ...broken.map((stream) => parkWrite(this.name, stream))]);
    for (const stream of broken) this.onStreamParked(stream);
  }

  private removalWrites(broken: readonly ParkedStream[]): readonly DocumentWrite[] {
    return broken.flatMap(({ stream }) => {
      const document = this.documents.get(aggregateIdOf(stream));
      return document ? this.parts.projector.removalWrites(document) : [];
    });
  }

  private async applyHalves(events: readonly StoredEvent[]): Promise<void> {
    const middle = Math.ceil(events.length / 2);
    await this.apply(events.slice(0, middle));
    await this.apply(events.slice(middle));
  }

  /** Stores the position. */
  async store(): Promise<void> {
    if (this.hasUnstoredPosition()) await this.write([], [], this.at);
  }

  /** Retries every parked stream. Returns the number of streams that are no longer parked. */
  async retryParked(): Promise<number> {
    let released = 0;
    for (const { stream } of [...this.parked.values()]) if (await this.retry(stream)) released++;
    return released;
  }

  /** Retries a parked stream from its first event on, because the document of a broken stream was removed. */
  private async retry(stream: string): Promise<boolean> {
    const { faults } = this.parts;
    await this.documents.load([aggregateIdOf(stream)]);
    const stored = await this.readStored(stream);
    const run = await new HistoryReader(this.parts).read(stored);
    const broken = remainingFault(faults.of(stream), run.faults[0], stored);
    const { writes, parked } = broken ? { writes: [], parked: [toParkedStream(stored)(broken)] } : this.projectOnto(run.events);
    const [still] = parked;
    const withdrawn = broken ? this.removalWrites(parked) : [];
    await this.writeOutsideBatch([...writes, ...withdrawn, still ? parkWrite(this.name, still) : unparkWrite(this.name, stream)]);
    if (still) this.parked.set(stream, still);
    else this.parked.delete(stream);
    if (!broken && faults.of(stream)) await faults.clear(stream);
    return !still;
  }

  private async readStored(stream: string): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let from = 0; ; from += PAGE) {
      const page = await this.parts.store.readStream(stream, from, PAGE);
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  }

  /** Writes outside a batch, without moving the position of the batches. */
  private async writeOutsideBatch(writes: readonly DocumentWrite[]): Promise<void> {
    const { documents, lease } = this.parts;
    if (!(await documents.apply(writes, { name: retryCheckpointOf(this.name), position: ++this.retries, lease })))
      throw this.supersededError();
    this.documents.update(writes);
  }

  private async write(writes: readonly DocumentWrite[], parked: readonly ParkedStream[], position: number): Promise<void> {
    const { documents, lease } = this.parts;
    const all = [...writes, ...parked.map((stream) => parkWrite(this.name, stream))];
    if (!(await documents.apply(all, { name: this.name, position, lease }))) throw this.supersededError();
    this.at = this.stored = position;
    this.documents.update(writes);
    for (const stream of parked) this.onStreamParked(stream);
  }

  private onStreamParked(stream: ParkedStream): void {
    this.parked.set(stream.stream, stream);
    this.parts.onParked(this.name, stream);
  }

  /**
   * The error if the stored checkpoint is ahead although the lease is valid: another process has started the
   * same projection.
   */
  private supersededError(): LeaseLost {
    return new LeaseLost(`another process moved the checkpoint of ${this.name}`);
  }

  /** Projects events of which the document may already contain some. */
  private projectOnto(events: readonly RecordedEvent[]): ProjectionResult {
    return this.parts.projector.project(
      events,
      (key) => this.documents.get(key),
      () => false,
    );
  }

  private project(events: readonly RecordedEvent[], isParked: (stream: string) => boolean) {
    const newDocuments = newDocumentsIn(events);
    return this.parts.projector.project(events, (key) => (newDocuments.has(key) ? null : this.documents.get(key)), isParked);
  }
}

/** Returns the keys of new documents: those of streams whose first event is among these. */
const newDocumentsIn = (events: readonly RecordedEvent[]): ReadonlySet<string> =>
  new Set(events.filter(({ meta }) => meta.revision === 0).map(({ meta }) => aggregateIdOf(meta.stream)));

/** Returns the keys of the existing documents that these events change. */
const documentsOf = (events: readonly RecordedEvent[]): readonly string[] => {
  const newDocuments = newDocumentsIn(events);
  return events.map(({ meta }) => aggregateIdOf(meta.stream)).filter((key) => !newDocuments.has(key));
};

/** Returns a broken stream as a parked one, at the first event at fault that was read. */
const toParkedStream =
  (events: readonly StoredEvent[]) =>
  ({ stream, revision, reason }: HistoryFault): ParkedStream => {
    const position = events.find((event) => event.stream === stream && event.revision >= revision)?.position ?? 0;
    return { stream, revision, position, reason };
  };

const streamsOf = (parked: readonly ParkedStream[]): ReadonlySet<string> => new Set(parked.map(({ stream }) => stream));

/**
 * Returns the fault that remains after a stream was read again. If the stream still lacks its last events,
 * its hash chain is intact, but the known fault remains.
 */
export const remainingFault = (
  known: HistoryFault | undefined,
  found: HistoryFault | undefined,
  events: readonly Pick<StoredEvent, 'revision'>[],
): HistoryFault | undefined => found ?? (known && (events.at(-1)?.revision ?? -1) < known.revision ? known : undefined);

const retryCheckpointOf = (name: string): string => `${name}_retries`;
