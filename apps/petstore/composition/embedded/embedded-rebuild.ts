import type { CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { readHistory } from '../../../../libs/runtime/codec/verified-history.js';
import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { BrokenHistory, type HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';
import { catchUpEmbedded, findStreamsWithMissingEvents, type EmbeddedHistory } from './embedded-history.js';

/**
 * The position that a rebuild has reached, the faults of the streams that it left out, and whether its read models
 * are now used for queries.
 */
export type RebuildResult = { readonly position: number; readonly faults: readonly HistoryFault[]; readonly isInService: boolean };

export type RebuildOptions = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'> & {
  /** Uses the result even if it lacks broken streams. */
  readonly acceptAltered: boolean;
};

/**
 * Rebuilds all read models beside the current ones. The result replaces them if the history has no faults or
 * `acceptAltered` is set. Faults are always recorded.
 */
export const rebuildEmbedded = async (history: EmbeddedHistory, { acceptAltered, ...options }: RebuildOptions): Promise<RebuildResult> => {
  const { embedded, faults } = history;
  const found = await findMissingEvents(history);
  const rebuilding = embedded.startRebuild();
  const note = noteIn(found);
  const position = await catchUpEmbedded(
    { ...history, projectors: rebuilding.projectors },
    {
      ...options,
      async removeDocuments(projector, broken) {
        broken.forEach(note);
        await embedded.removeBrokenDocuments(projector, broken);
      },
    },
  );
  if (options.signal?.aborted) return { position, faults: [], isInService: false };
  for (const fault of await findBrokenParkedStreams(history, rebuilding.projectors)) note(fault);
  for (const projector of rebuilding.projectors) {
    const lost = [...found.values()].filter(({ stream }) => categoryOf(stream) === projector.category);
    await embedded.removeBrokenDocuments(projector, lost);
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

const ALL_ROWS = 5_000;

/** Finds missing events that reading the log does not detect, because no later event of their stream exists. */
const findMissingEvents = async (history: EmbeddedHistory): Promise<Map<string, HistoryFault>> => {
  const { embedded, faults } = history;
  const found = new Map<string, HistoryFault>();
  const note = noteIn(found);
  const end = embedded.findMissingEnd();
  if (end) note(end);
  embedded.findMissingPositions().forEach(note);
  for (const lost of findStreamsWithMissingEvents(history, ALL_ROWS)) lost.forEach(note);
  // The document of a known fault was removed, so it cannot show that the event is still missing.
  for (const fault of faults.all()) {
    const isThere = (await embedded.events.readStream(fault.stream, fault.revision, 1)).length > 0;
    if (!isThere && !fault.stream.startsWith('log@')) note(fault);
  }
  return found;
};

/**
 * Returns the faults of streams that are parked for these projectors, even by an interrupted run of this rebuild.
 */
const findBrokenParkedStreams = async (
  { embedded, codec }: EmbeddedHistory,
  projectors: readonly Projector[],
): Promise<readonly HistoryFault[]> => {
  const names = new Set(projectors.map(({ collection }) => checkpointOf(collection)));
  const broken: HistoryFault[] = [];
  for (const { stream } of embedded.parkedStreams().filter(({ projection }) => names.has(projection))) {
    try {
      await readHistory({ store: embedded.events, codec }, stream);
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
      broken.push(error.fault);
    }
  }
  return broken;
};
