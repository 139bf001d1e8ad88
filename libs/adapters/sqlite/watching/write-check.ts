import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../eventsourcing/ports/documents.port.js';
import { STALLED, type CommitQueue } from '../commits/commit-queue.js';
import { IN_MEMORY } from '../folder/file-names.js';
import { whyNoRoom } from './room.js';

/** How long a caller waits for the check. After this time it gets the last known result. */
const WAIT_MILLISECONDS = 100;
/** A disk whose check takes longer than this is not writable. */
const SLOW_MILLISECONDS = 5_000;

type WriteCheckDependencies = {
  /** The folder of the store, or `:memory:`. */
  readonly directory: string;
  readonly queue: Pick<CommitQueue, 'isFailing'>;
  readonly documents: Pick<Documents, 'apply'>;
  readonly clock: Clock;
  /** Returns why nothing may be written, or null. */
  readonly problem: () => string | null;
};

/**
 * Returns a function that checks whether a write would succeed. It resolves with the reason why not, or with null. Only one check runs
 * at a time, and no caller waits for a slow disk.
 */
export const createWriteCheck = (dependencies: WriteCheckDependencies): (() => Promise<string | null>) => {
  const { clock, problem } = dependencies;
  let last: string | null = null;
  let running: Promise<string | null> | null = null;
  const run = async (): Promise<string | null> => {
    const stopTimer = clock.after(SLOW_MILLISECONDS, () => (last = STALLED));
    try {
      return (last = await tryWrite(dependencies));
    } finally {
      stopTimer();
      running = null;
    }
  };
  return async () => {
    const problemNow = problem();
    if (problemNow !== null) return problemNow;
    const lastKnown = new Promise<string | null>((resolve) => clock.after(WAIT_MILLISECONDS, () => resolve(last)));
    return Promise.race([(running ??= run()), lastKnown]);
  };
};

/** After a failed commit, free disk space is not enough: a test write must succeed, too. */
const tryWrite = async ({ directory, queue, documents, clock }: WriteCheckDependencies): Promise<string | null> => {
  const noRoom = directory === IN_MEMORY ? null : await whyNoRoom(directory);
  if (noRoom !== null || !queue.isFailing()) return noRoom;
  // `apply` writes nothing for a position that is already stored, so each call needs a greater position.
  const checkpoint = { name: 'writable', position: clock.now().getTime() };
  return documents.apply([], checkpoint).then(
    () => null,
    () => STALLED,
  );
};
