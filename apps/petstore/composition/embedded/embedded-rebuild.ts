import type { CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { readHistory } from '../../../../libs/runtime/codec/verified-history.js';
import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { BrokenHistory, type HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';
import { catchUpEmbedded, findLostStreams, type EmbeddedHistory } from './embedded-history.js';

/**
 * The position that a rebuild reached, the faults of the streams it left out, and whether its result is in
 * service.
 */
export type RebuildResult = { readonly position: number; readonly faults: readonly HistoryFault[]; readonly isInService: boolean };

export type RebuildOptions = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'> & {
  /** Puts the result in service without the broken streams. */
  readonly acceptAltered: boolean;
};

/**
 * Rebuilds all read models beside those in service. The result replaces them when the history has no faults,
 * or when `acceptAltered` is set. Faults are recorded in both cases.
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

/** Notes the first fault of each stream. */
const noteIn =
  (found: Map<string, HistoryFault>) =>
  (fault: HistoryFault): void =>
    void (found.has(fault.stream) || found.set(fault.stream, fault));

const ALL_ROWS = 5_000;

/** Finds missing events that the log cannot show: those after which a stream has no more events. */
const findMissingEvents = async (history: EmbeddedHistory): Promise<Map<string, HistoryFault>> => {
  const { embedded, faults } = history;
  const found = new Map<string, HistoryFault>();
  const note = noteIn(found);
  const end = embedded.findMissingEnd();
  if (end) note(end);
  embedded.findMissingPositions().forEach(note);
  for (const lost of findLostStreams(history, ALL_ROWS)) lost.forEach(note);
  // The document was withdrawn with the fault, so only the fault shows the missing event.
  for (const fault of faults.all()) {
    const isThere = (await embedded.events.readStream(fault.stream, fault.revision, 1)).length > 0;
    if (!isThere && !fault.stream.startsWith('log@')) note(fault);
  }
  return found;
};

/**
 * Returns the faults of the streams parked for these projectors, also by an earlier run of the same rebuild.
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
