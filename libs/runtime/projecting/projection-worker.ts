import { checkpointOf, reachedBy, type Documents, type DocumentWrite, type Reached } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { LeaseLost, type Lease } from '../../eventsourcing/ports/leases.port.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream, ProjectionResult, Projector } from '../../eventsourcing/projection.js';
import { HistoryReader } from '../codec/history-reader.js';
import { CachedDocuments } from './cached-documents.js';
import { parkWrite, readParkedStreams, unparkWrite } from './parked-streams.js';
import type { StreamFaults } from './stream-faults.js';

const PAGE = 1_000;

export type ProjectionWorkerDependencies = {
  readonly store: Pick<EventStore, 'readStream'>;
  /** The documents of all versions of the read model. A new version is built beside the old version. */
  readonly documents: Documents;
  readonly codec: ReadCodec;
  /** The known broken streams, which have an altered or unreadable event. The codec records here each fault that it finds. */
  readonly faults: Pick<StreamFaults, 'of' | 'all' | 'clear'>;
  readonly projector: Projector;
  /** Every write presents this lease. A write is rejected once another process owns the lease. */
  readonly lease: Lease;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
};

/**
 * Runs one projection from its stored position on. It folds a batch of events into documents in memory, and writes the
 * documents and the position in one transaction.
 */
export class ProjectionWorker {
  readonly name: string;
  private readonly documents: CachedDocuments;
  private readonly parked = new Map<string, ParkedStream>();
  /**
   * The number of writes outside a batch. Each write must move a checkpoint, because the lease is checked together with a
   * checkpoint. A write outside a batch must not move the checkpoint of the batches. So it moves a second checkpoint, whose
   * position is this number.
   */
  private writesOutsideBatch = 0;
  private readonly history: HistoryReader;

  private constructor(
    private readonly dependencies: ProjectionWorkerDependencies,
    /** The last event that was handled. The position `stored` may be lower. */
    private at: Reached,
    private stored: number,
  ) {
    this.name = checkpointOf(dependencies.projector.collection);
    this.history = new HistoryReader(dependencies);
    this.documents = new CachedDocuments(dependencies.documents, dependencies.projector.collection);
  }

  static async open(dependencies: ProjectionWorkerDependencies): Promise<ProjectionWorker> {
    const name = checkpointOf(dependencies.projector.collection);
    const position = await dependencies.documents.checkpoint(name);
    const worker = new ProjectionWorker(dependencies, { position }, position);
    worker.writesOutsideBatch = await dependencies.documents.checkpoint(retryCheckpointOf(name));
    for (const stream of await readParkedStreams(dependencies.documents, name)) worker.parked.set(stream.stream, stream);
    return worker;
  }

  position(): number {
    return this.at.position;
  }

  /** Returns whether the worker has passed events of other categories since it stored its position. */
  hasUnstoredPosition(): boolean {
    return this.at.position > this.stored;
  }

  /** Applies events in log order. Events of other categories only move the position, which is stored with the next write. */
  async apply(events: readonly StoredEvent[]): Promise<void> {
    const { category } = this.dependencies.projector;
    const own = events.filter(({ stream, position }) => position > this.at.position && categoryOf(stream) === category);
    const last = events.at(-1);
    const reached = last && last.position > this.at.position ? reachedBy(last) : this.at;
    if (own.length === 0) {
      this.at = reached;
      return;
    }
    const { events: usable, faults } = await this.history.read(own, (stream) => this.isSkipped(stream));
    const broken = faults.map(toParkedStream(own));
    const keys = [...documentsOf(usable), ...broken.map(({ stream }) => aggregateIdOf(stream))];
    if (!(await this.documents.load(keys)) && own.length > 1) return this.applyHalves(events);
    const isBroken = streamsOf(broken);
    const { writes, parked } = this.project(usable, (stream) => isBroken.has(stream));
    await this.write([...writes, ...this.removalWrites(broken)], [...parked, ...broken], reached);
  }

  /** Returns whether the events of a stream are skipped, because the stream is parked or broken. */
  private isSkipped(stream: string): boolean {
    return this.parked.has(stream) || this.dependencies.faults.of(stream) !== undefined;
  }

  /** Parks the streams that other readers of the log found broken, and removes their documents. */
  async removeBrokenDocuments(): Promise<void> {
    const { faults, projector } = this.dependencies;
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
      return document ? this.dependencies.projector.removalWrites(document) : [];
    });
  }

  /** Applies the two halves of a batch whose documents are too large for one transaction. */
  private async applyHalves(events: readonly StoredEvent[]): Promise<void> {
    const middle = Math.ceil(events.length / 2);
    await this.apply(events.slice(0, middle));
    await this.apply(events.slice(middle));
  }

  /** Stores the position if it has moved since the last write. */
  async store(): Promise<void> {
    if (this.hasUnstoredPosition()) await this.write([], [], this.at);
  }

  /** Retries every parked stream. Returns the number of streams that are no longer parked. */
  async retryParked(): Promise<number> {
    let released = 0;
    for (const { stream } of [...this.parked.values()]) if (await this.retry(stream)) released++;
    return released;
  }

  /**
   * Retries a parked stream. Returns true if the stream is no longer parked. Reads the stream from its first event on, because
   * the document of a broken stream was removed.
   */
  private async retry(stream: string): Promise<boolean> {
    const { faults } = this.dependencies;
    await this.documents.load([aggregateIdOf(stream)]);
    const stored = await this.readStored(stream);
    const verified = await new HistoryReader(this.dependencies).read(stored);
    const broken = remainingFault(faults.of(stream), verified.faults[0], stored);
    const { writes, parked } = broken ? { writes: [], parked: [toParkedStream(stored)(broken)] } : this.projectOnto(verified.events);
    const [stillParked] = parked;
    const removals = broken ? this.removalWrites(parked) : [];
    await this.writeOutsideBatch([
      ...writes,
      ...removals,
      stillParked ? parkWrite(this.name, stillParked) : unparkWrite(this.name, stream),
    ]);
    if (stillParked) this.parked.set(stream, stillParked);
    else this.parked.delete(stream);
    if (!broken && faults.of(stream)) await faults.clear(stream);
    return !stillParked;
  }

  private async readStored(stream: string): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let from = 0; ; from += PAGE) {
      const page = await this.dependencies.store.readStream(stream, from, PAGE);
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  }

  /** Writes outside a batch, without moving the position of the batches. */
  private async writeOutsideBatch(writes: readonly DocumentWrite[]): Promise<void> {
    const { documents, lease } = this.dependencies;
    if (!(await documents.apply(writes, { name: retryCheckpointOf(this.name), position: ++this.writesOutsideBatch, lease })))
      throw this.supersededError();
    this.documents.update(writes);
  }

  private async write(writes: readonly DocumentWrite[], parked: readonly ParkedStream[], reached: Reached): Promise<void> {
    const { documents, lease } = this.dependencies;
    const all = [...writes, ...parked.map((stream) => parkWrite(this.name, stream))];
    if (!(await documents.apply(all, { name: this.name, ...reached, lease }))) throw this.supersededError();
    this.at = reached;
    this.stored = reached.position;
    this.documents.update(writes);
    for (const stream of parked) this.onStreamParked(stream);
  }

  private onStreamParked(stream: ParkedStream): void {
    this.parked.set(stream.stream, stream);
    this.dependencies.onParked(this.name, stream);
  }

  /**
   * Returns the error for a write that was not applied although the lease is valid. The stored checkpoint has already reached
   * the new position, so another process runs the same projection.
   */
  private supersededError(): LeaseLost {
    return new LeaseLost(`another process moved the checkpoint of ${this.name}`);
  }

  /** Projects the events of a whole stream. The stored document may already contain some of these events. */
  private projectOnto(events: readonly RecordedEvent[]): ProjectionResult {
    return this.dependencies.projector.project(
      events,
      (key) => this.documents.get(key),
      () => false,
    );
  }

  /** Projects a batch of events that no document contains yet. */
  private project(events: readonly RecordedEvent[], isParked: (stream: string) => boolean) {
    const newDocuments = newDocumentsIn(events);
    return this.dependencies.projector.project(events, (key) => (newDocuments.has(key) ? null : this.documents.get(key)), isParked);
  }
}

/** Returns the keys of the documents that these events create. A stream's first event creates its document. */
const newDocumentsIn = (events: readonly RecordedEvent[]): ReadonlySet<string> =>
  new Set(events.filter(({ meta }) => meta.revision === 0).map(({ meta }) => aggregateIdOf(meta.stream)));

/** Returns the keys of the existing documents that these events change. */
const documentsOf = (events: readonly RecordedEvent[]): readonly string[] => {
  const newDocuments = newDocumentsIn(events);
  return events.map(({ meta }) => aggregateIdOf(meta.stream)).filter((key) => !newDocuments.has(key));
};

/**
 * Returns a function that describes a broken stream as a parked stream. Its position is that of the event at fault or, if that
 * event is missing, of the stream's next event in `events`. Without such an event, the position is 0.
 */
const toParkedStream =
  (events: readonly StoredEvent[]) =>
  ({ stream, revision, reason }: HistoryFault): ParkedStream => {
    const position = events.find((event) => event.stream === stream && event.revision >= revision)?.position ?? 0;
    return { stream, revision, position, reason };
  };

const streamsOf = (parked: readonly ParkedStream[]): ReadonlySet<string> => new Set(parked.map(({ stream }) => stream));

/**
 * Returns the fault of a stream that was read again, or undefined if the stream is intact. If only its last events are missing,
 * the hash chain looks intact. So a known fault remains until the stream contains the revision of that fault.
 */
export const remainingFault = (
  fault: HistoryFault | undefined,
  found: HistoryFault | undefined,
  events: readonly Pick<StoredEvent, 'revision'>[],
): HistoryFault | undefined => found ?? (fault && (events.at(-1)?.revision ?? -1) < fault.revision ? fault : undefined);

const retryCheckpointOf = (name: string): string => `${name}_retries`;
