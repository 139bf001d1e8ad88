import {
  checkpointOf,
  type Collection,
  type DocumentWrite,
  type FilledDocuments,
  type FilledReadModel,
  type StoredDocument,
} from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../eventsourcing/projection.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { HistoryReader, type VerifiedEvents } from '../codec/history-reader.js';
import { charactersOf, firstWithin } from '../following/event-batches.js';

/**
 * Events per batch. A large batch saves writes: a document that several events of the batch change is written only once. A larger
 * one than this takes memory, and saves no time.
 */
const BATCH = 500;
/**
 * Maximum characters of the events of a batch. They are in memory several times: as rows, events, documents and statements, of two
 * batches at a time.
 */
const MAX_CHARACTERS = 1_000_000;
/** Events per batch while requests are served. The batch is small, because requests wait until it is done. */
export const SMALL_BATCH = 250;

export type CatchUpOptions = {
  readonly codec: ReadCodec;
  /** Parks the streams with an event that cannot be projected. */
  readonly park: (projector: Projector, parked: readonly ParkedStream[]) => Promise<void>;
  /** Parks broken streams and removes their documents. */
  readonly removeDocuments: (projector: Projector, faults: readonly HistoryFault[]) => Promise<void>;
  readonly isParked: (projector: Projector, stream: string) => boolean;
  readonly signal?: AbortSignal;
  /** Whether another reader verifies the hash chains at the same time. */
  readonly areChainsVerified?: boolean;
  /** Number of events per batch. */
  readonly batch?: number;
  /** Called after each batch with the position reached. */
  readonly onProgress?: (position: number) => void;
};

/**
 * Updates read models from their stored positions to the end of the log. Each batch changes documents and positions in one
 * transaction. So after a stop, the next call continues after the last complete batch. The next batch is read and projected while
 * the previous one is written. Returns the position reached.
 */
export const catchUp = async (
  events: EventStore,
  documents: FilledDocuments,
  projectors: readonly Projector[],
  options: CatchUpOptions,
): Promise<number> => {
  const positions = await Promise.all(projectors.map(async ({ collection }) => documents.checkpoint(checkpointOf(collection))));
  let position = Math.min(...positions);
  const task = options.areChainsVerified ? 'decodes' : 'verifies and decodes';
  const history = new HistoryReader({ store: events, codec: options.codec }, task);
  const filling = new Filling(documents, options);
  const maxEvents = options.batch ?? BATCH;
  let limit = maxEvents;
  while (!options.signal?.aborted) {
    const stored = firstWithin(await events.readAll(position, limit), limit, MAX_CHARACTERS);
    limit = limitAfter(stored, maxEvents);
    const last = stored.at(-1);
    if (!last) {
      if (filling.isIdle()) break;
      // An event may be appended during this write. The read model then is not at the end of the log, and the event is read next.
      await filling.end();
      continue;
    }
    const read = await history.read(stored, (stream) => isSkipped(stream, projectors, options));
    const byCategory = usableByCategory(read);
    const filled: FilledReadModel[] = [];
    for (const [index, projector] of projectors.entries()) {
      const from = positions[index] ?? 0;
      if (from >= last.position) continue;
      const ofCategory = byCategory.get(projector.category) ?? [];
      const wanted = from <= position ? ofCategory : ofCategory.filter((event) => event.position > from);
      const writes = await filling.project(projector, wanted, read.faults);
      filled.push({ collection: projector.collection, writes, position: last.position });
      positions[index] = last.position;
    }
    await filling.write(filled);
    position = last.position;
    options.onProgress?.(position);
    await yieldToEventLoop();
  }
  await filling.end();
  return position;
};

/** Returns how many events to read next, so that few of them are read in vain: as many as fit if they are like the last ones. */
const limitAfter = (batch: readonly StoredEvent[], maxEvents: number): number => {
  const characters = charactersOf(batch);
  return characters === 0 ? maxEvents : Math.min(maxEvents, Math.max(1, Math.floor((batch.length * MAX_CHARACTERS) / characters)));
};

/**
 * A stream is skipped if all projectors of its category have parked it. A stream without a projector is never skipped, so its
 * hash chain is verified.
 */
const isSkipped = (stream: string, projectors: readonly Projector[], { isParked }: CatchUpOptions): boolean => {
  const own = projectors.filter(({ category }) => category === categoryOf(stream));
  return own.length > 0 && own.every((projector) => isParked(projector, stream));
};

/** The documents of a broken stream are removed, so its intact events are not projected either. */
const usableByCategory = ({ events, faults }: VerifiedEvents): ReadonlyMap<string, readonly RecordedEvent[]> => {
  const broken = new Set(faults.map(({ stream }) => stream));
  const usable = broken.size === 0 ? events : events.filter(({ meta }) => !broken.has(meta.stream));
  return Map.groupBy(usable, ({ meta }) => categoryOf(meta.stream));
};

/** The documents that are being written, by key. */
type BeingWritten = ReadonlyMap<string, StoredDocument | null>;

/** Projects batches and writes them. It writes one batch at a time, and meanwhile projects the next. */
class Filling {
  /** The last batch, until `end` has waited for it. */
  private writing: Promise<void> | null = null;
  private beingWritten: ReadonlyMap<Collection, BeingWritten> = new Map();

  constructor(
    private readonly documents: FilledDocuments,
    private readonly options: CatchUpOptions,
  ) {}

  /** Returns the writes of a read model. Parks the streams that it cannot show, and removes their documents. */
  async project(
    projector: Projector,
    events: readonly RecordedEvent[],
    faults: readonly HistoryFault[],
  ): Promise<readonly DocumentWrite[]> {
    const { park, removeDocuments, isParked } = this.options;
    const broken = faults.filter(({ stream }) => categoryOf(stream) === projector.category && !isParked(projector, stream));
    const loaded = await this.load(projector.collection, events);
    const { writes, parked } = projector.project(
      events,
      (key) => loaded.get(key) ?? null,
      (stream) => isParked(projector, stream),
    );
    if (broken.length > 0 || parked.length > 0) await this.writing;
    if (broken.length > 0) await removeDocuments(projector, broken);
    if (parked.length > 0) await park(projector, parked);
    return writes;
  }

  /** Starts to write a batch. Rejects if the previous batch could not be written. */
  async write(readModels: readonly FilledReadModel[]): Promise<void> {
    await this.writing;
    this.writing = this.documents.fill(readModels);
    // The next call rejects. Without this handler, Node would end the process before it.
    this.writing.catch(() => undefined);
    this.beingWritten = new Map(readModels.map(({ collection, writes }) => [collection, documentsIn(writes)]));
  }

  /** Waits for the last batch. */
  async end(): Promise<void> {
    await this.writing;
    this.writing = null;
  }

  /** Returns whether `end` has waited for the last batch. */
  isIdle(): boolean {
    return this.writing === null;
  }

  /** Loads the existing documents of events. A stream whose first event is among them has no document yet. */
  private async load(collection: Collection, events: readonly RecordedEvent[]): Promise<BeingWritten> {
    const loaded = new Map<string, StoredDocument | null>();
    for (const { meta } of events) {
      const key = aggregateIdOf(meta.stream);
      if (loaded.has(key)) continue;
      const pending = meta.revision === 0 ? null : this.beingWritten.get(collection)?.get(key);
      loaded.set(key, pending === undefined ? await this.documents.get(collection, key) : pending);
    }
    return loaded;
  }
}

const documentsIn = (writes: readonly DocumentWrite[]): BeingWritten => {
  const written = new Map<string, StoredDocument | null>();
  for (const write of writes)
    if (write.kind === 'put') written.set(write.document.key, write.document);
    else if (write.kind === 'delete') written.set(write.key, null);
  return written;
};
