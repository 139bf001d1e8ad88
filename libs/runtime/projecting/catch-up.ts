import { checkpointOf, type Documents, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../eventsourcing/projection.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { HistoryReader } from '../codec/history-reader.js';

/**
 * Events per batch. A large batch saves writes: a document that several events of the batch change is written only once. If
 * the process stops, it loses the work of at most one batch.
 */
const BATCH = 5_000;
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
  /** Number of events per batch. */
  readonly batch?: number;
  /** Called after each batch with the position reached. */
  readonly onProgress?: (position: number) => void;
};

/**
 * Updates read models from their stored positions to the end of the log. Each batch changes documents and position in one
 * transaction. So after a stop, the next call continues after the last complete batch. Returns the position reached.
 */
export const catchUp = async (
  events: EventStore,
  documents: Documents,
  projectors: readonly Projector[],
  options: CatchUpOptions,
): Promise<number> => {
  const positions = await Promise.all(projectors.map(async ({ collection }) => documents.checkpoint(checkpointOf(collection))));
  let position = Math.min(...positions);
  const history = new HistoryReader({ store: events, codec: options.codec });
  while (!options.signal?.aborted) {
    const stored = await events.readAll(position, options.batch ?? BATCH);
    const last = stored.at(-1);
    if (!last) break;
    // A stream is skipped if all projectors of its category have parked it. A stream without a projector is never skipped, so
    // its hash chain is verified.
    const isSkipped = (stream: string): boolean => {
      const own = projectors.filter(({ category }) => category === categoryOf(stream));
      return own.length > 0 && own.every((projector) => options.isParked(projector, stream));
    };
    const { events: usable, faults } = await history.read(stored, isSkipped);
    const broken = new Set(faults.map(({ stream }) => stream));
    // The documents of a broken stream are removed, so its intact events are not projected either.
    const batch = usable.filter(({ meta }) => !broken.has(meta.stream));
    for (const [index, projector] of projectors.entries()) {
      const from = positions[index] ?? 0;
      if (from >= last.position) continue;
      const found = faults.filter(({ stream }) => categoryOf(stream) === projector.category && !options.isParked(projector, stream));
      if (found.length > 0) await options.removeDocuments(projector, found);
      const wanted = batch.filter((event) => event.position > from && categoryOf(event.meta.stream) === projector.category);
      await project(documents, projector, wanted, last.position, options);
      positions[index] = last.position;
    }
    position = last.position;
    options.onProgress?.(position);
    await yieldToEventLoop();
  }
  return position;
};

const project = async (
  documents: Documents,
  projector: Projector,
  events: readonly RecordedEvent[],
  position: number,
  options: CatchUpOptions,
): Promise<void> => {
  const loaded = await prefetch(documents, projector, events);
  const { writes, parked } = projector.project(
    events,
    (key) => loaded.get(key) ?? null,
    (stream) => options.isParked(projector, stream),
  );
  if (parked.length > 0) await options.park(projector, parked);
  await documents.apply(writes, { name: checkpointOf(projector.collection), position });
};

/** Loads the existing documents of a batch. A stream whose first event is in the batch has no document yet. */
const prefetch = async (
  documents: Documents,
  { collection }: Projector,
  events: readonly RecordedEvent[],
): Promise<ReadonlyMap<string, StoredDocument | null>> => {
  const loaded = new Map<string, StoredDocument | null>();
  for (const { meta } of events) {
    const key = aggregateIdOf(meta.stream);
    if (!loaded.has(key)) loaded.set(key, meta.revision === 0 ? null : await documents.get(collection, key));
  }
  return loaded;
};
