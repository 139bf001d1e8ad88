import { reachedBy, type DocumentWrite, type Reached, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import {
  NO_CHANGES,
  applyEvents,
  brokenStream,
  documentsOf,
  refoldStream,
  remainingFault,
  removeStreams,
  retryStream,
  type Batch,
  type ProjectionTarget,
  type ReadModelChange,
  type StreamChanges,
} from '../../eventsourcing/projecting.js';
import type { Projector } from '../../eventsourcing/projection.js';
import { HistoryReader, type VerifiedEvents } from '../codec/history-reader.js';
import type { StreamFaults } from './stream-faults.js';

const PAGE = 1_000;

export type ProjectionEngineDependencies = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
  readonly target: ProjectionTarget;
  /** The projectors of the versions that this engine fills. */
  readonly projectors: readonly Projector[];
  /** The known broken streams, which have an altered or unreadable event. */
  readonly faults: Pick<StreamFaults, 'of' | 'all' | 'clear'>;
  /** Called with each fault that the engine finds in a batch. */
  readonly onFault?: (fault: HistoryFault) => void;
  /**
   * Which events of a batch are verified. Default: `own`, those of the streams that the read models contain. `decoded only`: another
   * reader verifies the chains of all streams at the same time, so this one only decodes them.
   */
  readonly verified?: 'own' | 'all' | 'decoded only';
};

/** A version of a read model while an engine fills it. */
type Filled = {
  readonly projector: Projector;
  /** The last event that was handled. */
  at: Reached;
  /** The position that is stored. It may be lower. */
  stored: number;
  /** What is being stored: documents by key, and streams to park. */
  pending: { readonly documents: ReadonlyMap<string, StoredDocument | null>; readonly parked: ReadonlySet<string> };
};

const NOTHING_PENDING: Filled['pending'] = { documents: new Map(), parked: new Set() };

/**
 * Applies the log to versions of read models, from their stored positions on. It folds a batch of events into documents in memory,
 * and stores the documents, the parked streams and the position of each read model together.
 */
export class ProjectionEngine {
  private readonly history: HistoryReader;
  private storing: Promise<void> | null = null;

  private constructor(
    private readonly dependencies: ProjectionEngineDependencies,
    private readonly readModels: readonly Filled[],
  ) {
    this.history = new HistoryReader(dependencies, dependencies.verified === 'decoded only' ? 'decodes' : 'verifies and decodes');
  }

  static async open(dependencies: ProjectionEngineDependencies): Promise<ProjectionEngine> {
    const readModels: Filled[] = [];
    for (const projector of dependencies.projectors) {
      const position = await dependencies.target.position(projector.collection);
      readModels.push({ projector, at: { position }, stored: position, pending: NOTHING_PENDING });
    }
    return new ProjectionEngine(dependencies, readModels);
  }

  /** Returns the position up to which all read models have handled the log. */
  position(): number {
    return Math.min(...this.readModels.map(({ at }) => at.position));
  }

  /** Returns whether the engine has passed events that no read model contains since it stored the position. */
  hasUnstoredPosition(): boolean {
    return this.readModels.some(({ at, stored }) => at.position > stored);
  }

  /** Applies events in log order. Events that no read model contains only move the position, which is stored with the next change. */
  async apply(events: readonly StoredEvent[]): Promise<void> {
    await this.begin(events);
    await this.end();
  }

  /**
   * Applies events like `apply`, but resolves when they are being stored, and what `begin` has stored before is durable. So a caller
   * can read the next events meanwhile.
   */
  async begin(events: readonly StoredEvent[]): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    const { events: intact, faults } = await this.verify(events);
    const byCategory = Map.groupBy(intact, ({ meta }) => categoryOf(meta.stream));
    const reached = reachedBy(last);
    const batches = this.readModels
      .filter(({ at }) => at.position < last.position)
      .map((filled) => [filled, this.batchFor(filled, byCategory, faults, events)] as const);
    const isContained = events.some((event) => this.readModels.some((filled) => isNew(filled, event)));
    if (!isContained) {
      await this.end();
      return batches.forEach(([filled]) => moveTo(filled, reached));
    }
    for (const [filled, batch] of batches)
      if (!(await this.load(filled, documentsOf(batch))) && events.length > 1) return this.beginHalves(events);
    const changes = batches.map(([filled, batch]) => [filled, { ...this.change(filled, batch), reached }] as const);
    await this.end();
    this.startStoring(changes);
  }

  /** Waits until what `begin` stores is durable. Rejects if it cannot be stored. */
  async end(): Promise<void> {
    const { storing } = this;
    this.storing = null;
    await storing;
  }

  /** Returns whether nothing is being stored that `end` has not waited for. */
  isIdle(): boolean {
    return this.storing === null;
  }

  /** Stores the positions that have moved since the last change. */
  async store(): Promise<void> {
    await this.end();
    const moved = this.readModels.filter(({ at, stored }) => at.position > stored);
    if (moved.length === 0) return;
    this.startStoring(moved.map((filled) => [filled, { ...NO_CHANGES, collection: filled.projector.collection, reached: filled.at }]));
    await this.end();
  }

  /** Parks the streams that other readers of the log found broken, and removes their documents. */
  async removeBrokenDocuments(): Promise<void> {
    await this.end();
    for (const filled of this.readModels)
      for (const fault of this.dependencies.faults.all()) {
        if (categoryOf(fault.stream) !== filled.projector.category || this.isParked(filled, fault.stream)) continue;
        await this.load(filled, [aggregateIdOf(fault.stream)]);
        await this.storeOutsideBatch(filled, removeStreams(filled.projector, [brokenStream(fault)], this.loaderOf(filled)));
      }
  }

  /** Retries every parked stream. Returns the number of streams that are no longer parked. */
  async retryParked(): Promise<number> {
    await this.end();
    let released = 0;
    for (const filled of this.readModels)
      for (const { stream } of this.dependencies.target.parkedStreams(filled.projector.collection))
        if (await this.foldAgain(filled, stream, retryStream)) released++;
    return released;
  }

  /** Folds a stream again from its first event, because operators have skipped other events of it since. */
  async refold(stream: string): Promise<void> {
    await this.end();
    for (const filled of this.readModels)
      if (filled.projector.category === categoryOf(stream)) await this.foldAgain(filled, stream, refoldStream);
  }

  /** Returns whether the stream is no longer parked. */
  private async foldAgain(filled: Filled, stream: string, fold: typeof retryStream): Promise<boolean> {
    const { faults } = this.dependencies;
    await this.load(filled, [aggregateIdOf(stream)]);
    // Later events come with their batch. It does not read the document that the first event of a stream creates.
    const stored = (await this.readStored(stream)).filter(({ position }) => position <= filled.at.position);
    const { events, faults: found } = await new HistoryReader(this.dependencies).read(stored);
    const fault = found[0] ?? remainingFault(faults.of(stream), stored.at(-1)?.revision ?? -1);
    const again = { stream, events, broken: fault && brokenStream(fault, stored) };
    const change = fold(filled.projector, again, this.loaderOf(filled));
    await this.storeOutsideBatch(filled, change);
    if (!fault && faults.of(stream)) await faults.clear(stream);
    return change.released.length > 0;
  }

  private async readStored(stream: string): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let from = 0; ; from += PAGE) {
      const page = await this.dependencies.store.readStream(stream, from, PAGE);
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  }

  private async verify(events: readonly StoredEvent[]): Promise<VerifiedEvents> {
    const { verified = 'own', onFault } = this.dependencies;
    const read = verified === 'own' ? events.filter((event) => this.readModels.some((filled) => isNew(filled, event))) : events;
    const known = new Map<string, HistoryFault>();
    for (const { stream } of read) {
      const fault = this.dependencies.faults.of(stream);
      if (fault) known.set(stream, fault);
    }
    const { events: intact, faults: found } = await this.history.read(read, (stream) => known.has(stream) || this.isSkipped(stream));
    if (onFault) found.forEach(onFault);
    return { events: intact, faults: [...known.values(), ...found] };
  }

  /**
   * Returns whether the events of a stream are not read, because all read models that contain it have parked it. A stream that no read
   * model contains is read, so that its hash chain is verified.
   */
  private isSkipped(stream: string): boolean {
    const category = categoryOf(stream);
    const own = this.readModels.filter(({ projector }) => projector.category === category);
    return own.length > 0 && own.every((filled) => this.isParked(filled, stream));
  }

  private isParked({ projector, pending }: Filled, stream: string): boolean {
    return pending.parked.has(stream) || this.dependencies.target.isParked(projector.collection, stream);
  }

  /** Returns what a batch of the log contains for a read model. */
  private batchFor(
    filled: Filled,
    events: ReadonlyMap<string, readonly RecordedEvent[]>,
    faults: readonly HistoryFault[],
    stored: readonly StoredEvent[],
  ): Batch {
    const { category } = filled.projector;
    const own = events.get(category) ?? [];
    const isBehind = (own[0]?.position ?? Infinity) <= filled.at.position;
    return {
      events: isBehind ? own.filter(({ position }) => position > filled.at.position) : own,
      broken: faults
        .filter(({ stream }) => categoryOf(stream) === category && !this.isParked(filled, stream))
        .map((fault) => brokenStream(fault, stored)),
    };
  }

  private change(filled: Filled, batch: Batch): Omit<ReadModelChange, 'reached'> {
    const { projector } = filled;
    const changes = applyEvents(projector, batch, this.loaderOf(filled), (stream) => this.isParked(filled, stream));
    return { collection: projector.collection, ...changes };
  }

  /** Loads documents that are not being stored. Returns false if they are together too large for one transaction. */
  private load({ projector, pending }: Filled, keys: readonly string[]): Promise<boolean> {
    return this.dependencies.target.load(
      projector.collection,
      keys.filter((key) => !pending.documents.has(key)),
    );
  }

  private loaderOf({ projector, pending }: Filled): (key: string) => StoredDocument | null {
    return (key) => {
      const beingStored = pending.documents.get(key);
      return beingStored === undefined ? this.dependencies.target.get(projector.collection, key) : beingStored;
    };
  }

  /** Applies the two halves of a batch whose documents are too large for one transaction. */
  private async beginHalves(events: readonly StoredEvent[]): Promise<void> {
    const middle = Math.ceil(events.length / 2);
    // While documents are being stored, their size is not known to the target. So the first half is stored before the second.
    await this.apply(events.slice(0, middle));
    await this.begin(events.slice(middle));
  }

  private startStoring(changes: readonly (readonly [Filled, ReadModelChange])[]): void {
    for (const [filled, { writes, parked }] of changes)
      filled.pending = { documents: documentsIn(writes), parked: new Set(parked.map(({ stream }) => stream)) };
    this.storing = this.storeAll(changes).finally(() => changes.forEach(([filled]) => (filled.pending = NOTHING_PENDING)));
    // `end` rejects. Without this handler, Node would end the process before it.
    this.storing.catch(() => undefined);
  }

  private async storeAll(changes: readonly (readonly [Filled, ReadModelChange])[]): Promise<void> {
    await this.dependencies.target.store(changes.map(([, change]) => change));
    for (const [filled, { reached }] of changes) {
      if (!reached) continue;
      moveTo(filled, reached);
      filled.stored = reached.position;
    }
  }

  /** Stores changes that are not in the order of the log: the position stays. */
  private storeOutsideBatch({ projector }: Filled, changes: StreamChanges): Promise<void> {
    return this.dependencies.target.store([{ collection: projector.collection, ...changes, reached: null }]);
  }
}

const isNew = ({ projector, at }: Filled, { stream, position }: StoredEvent): boolean =>
  position > at.position && categoryOf(stream) === projector.category;

const moveTo = (filled: Filled, reached: Reached): void => {
  if (reached.position > filled.at.position) filled.at = reached;
};

/** Returns the documents that writes leave behind, by key. */
const documentsIn = (writes: readonly DocumentWrite[]): ReadonlyMap<string, StoredDocument | null> => {
  const written = new Map<string, StoredDocument | null>();
  for (const write of writes)
    if (write.kind === 'put') written.set(write.document.key, write.document);
    else if (write.kind === 'delete') written.set(write.key, null);
  return written;
};
