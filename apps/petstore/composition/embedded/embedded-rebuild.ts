import type { CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { readHistory } from '../../../../libs/runtime/codec/verified-history.js';
import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { BrokenHistory, isFaultOfLog, type HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';
import { catchUpEmbedded, findStreamsWithMissingEvents, type EmbeddedHistory } from './embedded-history.js';

/**
 * The result of a rebuild: the position that it has reached, and the faults that it found. The new read models lack the
 * streams with a fault. `isInService` is true if queries now use the new read models.
 */
export type RebuildResult = { readonly position: number; readonly faults: readonly HistoryFault[]; readonly isInService: boolean };

export type RebuildOptions = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'> & {
  /** Puts the new read models in service even if they lack broken streams. */
  readonly acceptAltered: boolean;
};

/**
 * Rebuilds all read models beside the current ones, or resumes an interrupted rebuild. The new read models replace the
 * current ones if the log has no faults or `acceptAltered` is true. Otherwise, the new read models are discarded. Records the
 * faults in both cases. If `signal` aborts, the current read models stay in service, and nothing is recorded.
 */
export const rebuildEmbedded = async (history: EmbeddedHistory, { acceptAltered, ...options }: RebuildOptions): Promise<RebuildResult> => {
  const { sqlite, faults } = history;
  const found = await findMissingEvents(history);
  const rebuilding = sqlite.startRebuild();
  const note = noteIn(found);
  const position = await catchUpEmbedded(
    { ...history, projectors: rebuilding.projectors },
    {
      ...options,
      async removeDocuments(projector, broken) {
        broken.forEach(note);
        await sqlite.removeBrokenDocuments(projector, broken);
      },
    },
  );
  if (options.signal?.aborted) return { position, faults: [], isInService: false };
  for (const fault of await findBrokenParkedStreams(history, rebuilding.projectors)) note(fault);
  for (const projector of rebuilding.projectors) {
    const lost = [...found.values()].filter(({ stream }) => categoryOf(stream) === projector.category);
    await sqlite.removeBrokenDocuments(projector, lost);
  }
  const isInService = found.size === 0 || acceptAltered;
  if (isInService) rebuilding.finishRebuild();
  else rebuilding.discardRebuild();
  for (const { stream } of faults.all()) if (!found.has(stream)) await faults.clear(stream);
  for (const fault of found.values()) faults.record(fault);
  await faults.waitUntilStored();
  return { position, faults: [...found.values()], isInService };
};

/** Returns a function that adds the first fault of each stream to `found`. */
const noteIn =
  (found: Map<string, HistoryFault>) =>
  (fault: HistoryFault): void =>
    void (found.has(fault.stream) || found.set(fault.stream, fault));

/** The number of documents that are compared with the log at a time. It is large, because no requests wait during a rebuild. */
const DOCUMENT_BATCH = 5_000;

/**
 * Finds missing events before the rebuild. The rebuild does not detect events that are missing at the end of a stream, because
 * no later event of the stream refers to them. Returns the first fault of each stream.
 */
const findMissingEvents = async (history: EmbeddedHistory): Promise<Map<string, HistoryFault>> => {
  const { sqlite, faults } = history;
  const found = new Map<string, HistoryFault>();
  const note = noteIn(found);
  const end = sqlite.findMissingEnd();
  if (end) note(end);
  sqlite.findMissingPositions().forEach(note);
  for (const lost of findStreamsWithMissingEvents(history, DOCUMENT_BATCH)) lost.forEach(note);
  // A stream with a recorded fault has no document any more, so the comparison above cannot find its fault again. Reading the
  // log shows whether the event of the fault is still missing. Faults of the whole log have no stream, and
  // findMissingEnd and findMissingPositions find them again, so they are skipped here.
  for (const fault of faults.all()) {
    if (isFaultOfLog(fault)) continue;
    const isThere = (await sqlite.events.readStream(fault.stream, fault.revision, 1)).length > 0;
    if (!isThere) note(fault);
  }
  return found;
};

/**
 * Returns the faults of streams that are parked for these projectors. An earlier run of the same rebuild may have parked some
 * of them before it was interrupted.
 */
const findBrokenParkedStreams = async (
  { sqlite, codec }: EmbeddedHistory,
  projectors: readonly Projector[],
): Promise<readonly HistoryFault[]> => {
  const names = new Set(projectors.map(({ collection }) => checkpointOf(collection)));
  const broken: HistoryFault[] = [];
  for (const { stream } of sqlite.parkedStreams().filter(({ projection }) => names.has(projection))) {
    try {
      await readHistory({ store: sqlite.events, codec }, stream);
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
      broken.push(error.fault);
    }
  }
  return broken;
};
