import type { CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { readHistory } from '../../../../libs/runtime/codec/verified-history.js';
import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { BrokenHistory, isFaultOfLog, type HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { LogAudit } from '../../../../libs/audit/verify/verify-log.js';
import type { Projector } from '../../../../libs/eventsourcing/projection.js';
import { catchUpEmbedded, type EmbeddedHistory } from './embedded-history.js';

/**
 * The result of a rebuild: the position that it has reached, and the faults that it found. The new read models lack the
 * streams with a fault. `isInService` is true if queries now use the new read models.
 */
export type RebuildResult = { readonly position: number; readonly faults: readonly HistoryFault[]; readonly isInService: boolean };

export type RebuildOptions = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'> & {
  /** Puts the new read models in service even if they lack broken streams. */
  readonly acceptAltered: boolean;
  /** Verifies the hash chains in a thread at the same time. Absent: the rebuild verifies them itself. */
  readonly startChains?: LogAudit['startChains'];
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
  const position = await fill({ ...history, projectors: rebuilding.projectors }, options, note);
  if (options.signal?.aborted) return { position, faults: [], isInService: false };
  rebuilding.findMissingStreams().forEach(note);
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

/** Applies the log to the new read models, and calls `note` for each fault. Returns the position reached. */
const fill = async (
  history: EmbeddedHistory,
  { startChains, ...options }: Omit<RebuildOptions, 'acceptAltered'>,
  note: (fault: HistoryFault) => void,
): Promise<number> => {
  const chains = startChains?.(0, note);
  try {
    const position = await catchUpEmbedded(history, {
      ...options,
      verified: chains ? 'decoded only' : 'all',
      onFault: note,
    });
    if (!options.signal?.aborted) await chains?.reached(position);
    return position;
  } finally {
    await chains?.stop();
  }
};

/** Returns a function that adds the first fault of each stream to `found`. */
const noteIn =
  (found: Map<string, HistoryFault>) =>
  (fault: HistoryFault): void =>
    void (found.has(fault.stream) || found.set(fault.stream, fault));

/**
 * Finds missing events of the whole log, and of streams with a recorded fault. The rebuild does not detect events that are missing
 * at the end of a stream, because no later event of the stream refers to them. Returns the first fault of each stream.
 */
const findMissingEvents = async (history: EmbeddedHistory): Promise<Map<string, HistoryFault>> => {
  const { sqlite, faults } = history;
  const found = new Map<string, HistoryFault>();
  const note = noteIn(found);
  const end = sqlite.findMissingEnd();
  if (end) note(end);
  sqlite.findMissingPositions().forEach(note);
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
