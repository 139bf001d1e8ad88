import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { repeat } from '../../runtime/following/repeat.js';
import type { CheckpointMaker } from './checkpoint-maker.js';

/** Milliseconds between two reads of the new events. */
const INTERVAL = 10_000;
/** The number of new events that cause a checkpoint before CHECKPOINT_EVERY has passed. */
const MANY_EVENTS = 10_000;
/**
 * When the service stops, it reads the new events for at most this number of milliseconds. If that time is not enough, it makes
 * no last checkpoint (contract 35.1).
 */
const STOP_LIMIT = 2_000;

export type CheckpointsPorts = {
  readonly checkpoints: Pick<CheckpointMaker, 'readNewEvents' | 'make'>;
  readonly clock: Clock;
  readonly checkpointEveryMilliseconds: number;
  readonly onCheckpoint: (signed: SignedCheckpoint) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Makes checkpoints: at regular times, after many events, and at a clean stop of the service (contract 35.1). Returns a
 * function that makes the last checkpoint and stops.
 */
export const startCheckpoints = (ports: CheckpointsPorts): (() => Promise<void>) => {
  const { checkpoints, clock, checkpointEveryMilliseconds, onCheckpoint, onError } = ports;
  const limit = new AbortController();
  let madeAt = clock.elapsed();
  const work = async (): Promise<number> => {
    const uncoveredCount = await checkpoints.readNewEvents(limit.signal);
    const isTime = clock.elapsed() - madeAt >= checkpointEveryMilliseconds;
    if (isTime || uncoveredCount >= MANY_EVENTS) {
      report(await checkpoints.make(limit.signal));
      madeAt = clock.elapsed();
    }
    return Math.min(INTERVAL, checkpointEveryMilliseconds);
  };
  const report = (made: SignedCheckpoint | null): void => {
    if (made) onCheckpoint(made);
  };
  const stopRepeating = repeat({ clock, firstDelay: INTERVAL, work, failureDelay: INTERVAL, onError });
  return async () => {
    const cancel = clock.after(STOP_LIMIT, () => limit.abort());
    await stopRepeating();
    await checkpoints.make(limit.signal).then(report, onError);
    cancel();
  };
};
