import type { Checkpoint } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';

export type LostEventsPorts = {
  /** `lastPosition` returns the position of the log's last event, as the leader has it, or 0. */
  readonly log: Pick<EventStore, 'readStream'> & { lastPosition(): Promise<number> };
  /** Returns the checkpoints of the readers of the log. */
  readonly checkpoints: () => Promise<readonly Checkpoint[]>;
};

const furthest = <C extends Checkpoint>(checkpoints: readonly C[]): C | undefined =>
  checkpoints.reduce<C | undefined>((found, each) => (found && found.position >= each.position ? found : each), undefined);

/**
 * Finds out whether the log lacks events that its readers have handled: the server has lost its last events, or an older backup was
 * put back. Returns a sentence that says so, or null. Rejects with StoreUnavailable.
 */
export const findLostEvents = async ({ log, checkpoints }: LostEventsPorts): Promise<string | null> => {
  // The checkpoints are read before the end of the log. A log that only grows then reaches them all.
  const reached = await checkpoints();
  const end = await log.lastPosition();
  const last = furthest(reached);
  if (last && last.position > end)
    return `the log ends at position ${end}, but the reader ${last.name} has handled events up to position ${last.position}`;
  return findReplacedEvent(log, reached);
};

/** The log may have grown beyond the checkpoints since it lost events. Then it has other events in their places. */
const findReplacedEvent = async (log: LostEventsPorts['log'], reached: readonly Checkpoint[]): Promise<string | null> => {
  const last = furthest(reached.flatMap(({ name, position, event }) => (event ? [{ name, position, event }] : [])));
  if (!last) return null;
  const { stream, revision, id } = last.event;
  const [stored] = await log.readStream(stream, revision, 1);
  if (stored?.id === id && stored.position === last.position) return null;
  return `the log does not have the event ${id} at position ${last.position}, which the reader ${last.name} has handled`;
};
