import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../eventsourcing/ports/documents.port.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import { IN_MEMORY } from './database.js';
import { hasFreeSpace } from './room.js';

/** How long a caller waits for the check. After this time it gets the last known result. */
const WAIT_MILLISECONDS = 100;
/** A disk whose check takes longer than this is not writable. */
const SLOW_MILLISECONDS = 5_000;

type WriteCheckParts = {
  /** The folder of the store, or `:memory:`. */
  readonly directory: string;
  readonly queue: Pick<CommitQueue, 'isFailing'>;
  readonly documents: Pick<Documents, 'apply'>;
  readonly clock: Clock;
  /** Returns whether the file of the store is still at its path. */
  readonly isInPlace: () => boolean;
};

/**
 * Returns a function that checks whether a write would succeed. Only one check runs at a time, and no caller waits for a slow
 * disk.
 */
export const createWriteCheck = (parts: WriteCheckParts): (() => Promise<boolean>) => {
  const { clock, isInPlace } = parts;
  let last = true;
  let running: Promise<boolean> | null = null;
  const run = async (): Promise<boolean> => {
    const stopTimer = clock.after(SLOW_MILLISECONDS, () => (last = false));
    try {
      return (last = await canWrite(parts));
    } finally {
      stopTimer();
      running = null;
    }
  };
  return async () => {
    if (!isInPlace()) return false;
    const lastKnown = new Promise<boolean>((resolve) => clock.after(WAIT_MILLISECONDS, () => resolve(last)));
    return Promise.race([(running ??= run()), lastKnown]);
  };
};

/** After a failed commit, free disk space is not enough: a test write must succeed, too. */
const canWrite = async ({ directory, queue, documents, clock }: WriteCheckParts): Promise<boolean> => {
  if (directory !== IN_MEMORY && !(await hasFreeSpace(directory))) return false;
  if (!queue.isFailing()) return true;
  // `apply` writes nothing for a position that is already stored, so each call needs a greater position.
  const checkpoint = { name: 'writable', position: clock.now().getTime() };
  return documents.apply([], checkpoint).then(
    () => true,
    () => false,
  );
};
