import type { Collection, DocumentWrite, Reached, StoredDocument } from './ports/documents.port.js';
import type { StoredEvent } from './ports/event-store.port.js';
import type { HistoryFault } from './history.js';
import { aggregateIdOf, type RecordedEvent } from './message.js';
import type { ParkedStream, Projector } from './projection.js';

/** What events, a retry or a fault change in a version of a read model. All of it is stored in one transaction. */
export type ReadModelChange = {
  /** The version. */
  readonly collection: Collection;
  readonly writes: readonly DocumentWrite[];
  /** The streams that are parked from now on. */
  readonly parked: readonly ParkedStream[];
  /** Those of the parked streams whose history is broken. Their documents are removed. */
  readonly broken: readonly string[];
  /** The streams that are no longer parked. */
  readonly released: readonly string[];
  /** The last event that the version has handled. Null: the position stays as it is. */
  readonly reached: Reached | null;
};

/** A change without its version and its position. */
export type StreamChanges = Omit<ReadModelChange, 'collection' | 'reached'>;

/** Changes nothing. */
export const NO_CHANGES: StreamChanges = { writes: [], parked: [], broken: [], released: [] };

/** Where a projection writes: the open transaction of a folder, or a database with a lease. */
export type ProjectionTarget = {
  /** Returns the position of the last event that a version has handled: 0 for a new one. */
  readonly position: (collection: Collection) => Promise<number>;
  readonly isParked: (collection: Collection, stream: string) => boolean;
  readonly parkedStreams: (collection: Collection) => readonly ParkedStream[];
  /** Loads documents for `get`. Resolves to false if they are together too large for one transaction. */
  readonly load: (collection: Collection, keys: readonly string[]) => Promise<boolean>;
  /** Returns a document that was loaded, as the last stored change has left it. Null if there is none. */
  readonly get: (collection: Collection, key: string) => StoredDocument | null;
  /**
   * Stores changes of different versions. Each is stored whole or not at all, and is durable when the promise resolves. A change whose
   * position is already reached is not stored. Rejects with LeaseLost if another process writes a version, and with StoreUnavailable.
   */
  readonly store: (changes: readonly ReadModelChange[]) => Promise<void>;
};

/** Returns a document as it is before the events of a batch, or null. */
type Load = (key: string) => StoredDocument | null;

/** Intact events in log order, and the streams of which an event was found altered or unreadable. */
export type Batch = { readonly events: readonly RecordedEvent[]; readonly broken: readonly ParkedStream[] };

/**
 * Applies a batch to a read model. A stream with an event that the projection cannot apply is parked before that event. A broken
 * stream is parked, and its document is removed. The events of parked streams wait.
 */
export const applyEvents = (
  projector: Projector,
  { events, broken }: Batch,
  load: Load,
  isParked: (stream: string) => boolean,
): StreamChanges => {
  const created = newDocumentsIn(events);
  const brokenStreams = new Set(broken.map(({ stream }) => stream));
  const { writes, parked } = projector.project(
    events,
    (key) => (created.has(key) ? null : load(key)),
    (stream) => brokenStreams.has(stream) || isParked(stream),
  );
  const removed = removeStreams(projector, broken, load);
  return { ...removed, writes: [...writes, ...removed.writes], parked: [...parked, ...broken] };
};

/** Returns the keys of the documents that a batch changes or removes. A document that the batch creates is not among them. */
export const documentsOf = ({ events, broken }: Batch): readonly string[] => {
  const created = newDocumentsIn(events);
  const changed = events.map(({ meta }) => aggregateIdOf(meta.stream)).filter((key) => !created.has(key));
  return [...changed, ...broken.map(({ stream }) => aggregateIdOf(stream))];
};

/** A stream's first event creates its document. */
const newDocumentsIn = (events: readonly RecordedEvent[]): ReadonlySet<string> => {
  const created = new Set<string>();
  for (const { meta } of events) if (meta.revision === 0) created.add(aggregateIdOf(meta.stream));
  return created;
};

/** Parks broken streams and removes their documents. */
export const removeStreams = (projector: Projector, broken: readonly ParkedStream[], load: Load): StreamChanges => ({
  writes: broken.flatMap(({ stream }) => {
    const document = load(aggregateIdOf(stream));
    return document ? projector.removalWrites(document) : [];
  }),
  parked: broken,
  broken: broken.map(({ stream }) => stream),
  released: [],
});

/** A parked stream that was read again from its first event, because the document of a broken stream was removed. */
export type ReadAgain = {
  readonly stream: string;
  readonly events: readonly RecordedEvent[];
  /** Why it is still broken. Undefined: its events are intact. */
  readonly broken: ParkedStream | undefined;
};

/**
 * Applies the events of a parked stream to its document, which may already contain some of them. Releases the stream, or parks it
 * again at the event that still fails.
 */
export const retryStream = (projector: Projector, { stream, events, broken }: ReadAgain, load: Load): StreamChanges => {
  if (broken) return removeStreams(projector, [broken], load);
  const { writes, parked } = projector.project(events, load, () => false);
  return { writes, parked, broken: [], released: parked.length > 0 ? [] : [stream] };
};

/**
 * Folds a stream again from its first event, in place of the document that is stored: what was skipped may count again, and the reverse.
 * Releases the stream, or parks it at the event that fails.
 */
export const refoldStream = (projector: Projector, again: ReadAgain, load: Load): StreamChanges => {
  const { stream, broken } = again;
  if (broken) return removeStreams(projector, [broken], load);
  const stored = load(aggregateIdOf(stream));
  const { writes, ...folded } = retryStream(projector, again, () => null);
  const removal = stored ? projector.removalWrites(stored) : [];
  const isReplaced = writes.some(({ kind }) => kind === 'put');
  return { ...folded, writes: [...removal.filter(({ kind }) => kind !== 'delete' || !isReplaced), ...writes] };
};

/**
 * Returns the known fault of a stream that was read again without a fault, or undefined if the stream is intact. If only its last
 * events are missing, the hash chain looks intact. So a known fault remains until the stream contains the revision of that fault.
 */
export const remainingFault = (known: HistoryFault | undefined, lastRevision: number): HistoryFault | undefined =>
  known && lastRevision < known.revision ? known : undefined;

/**
 * Describes a broken stream as a parked stream. Its position is that of the event at fault or, if that event is missing, of the
 * stream's next event in `events`. Without such an event, the position is 0.
 */
export const brokenStream = ({ stream, revision, reason }: HistoryFault, events: readonly StoredEvent[] = []): ParkedStream => {
  const position = events.find((event) => event.stream === stream && event.revision >= revision)?.position ?? 0;
  return { stream, revision, position, reason };
};

/** Returns a projector that writes to another version of its read model. */
export const intoVersion = (projector: Projector, collection: Collection): Projector => {
  const into = (writes: readonly DocumentWrite[]): readonly DocumentWrite[] => writes.map((write) => ({ ...write, collection }));
  return {
    ...projector,
    collection,
    project(events, load, isParked) {
      const { writes, parked } = projector.project(events, load, isParked);
      return { writes: into(writes), parked };
    },
    removalWrites: (document) => into(projector.removalWrites(document)),
  };
};
