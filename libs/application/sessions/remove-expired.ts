import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { repeat } from '../../runtime/following/repeat.js';
import { Sessions } from './sessions.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** Milliseconds from the start to the first run, and between two runs. */
const FIRST_RUN = 60_000;
const INTERVAL = 3_600_000;

/**
 * Every hour, removes the expired sessions, which nobody can use, and the attempts to sign in that no longer count. Returns a function that stops the runs and waits for the
 * current one.
 */
export const startRemovingExpired = (ports: {
  readonly clock: Clock;
  readonly documents: Documents;
  readonly onError: (error: unknown) => void;
}): (() => Promise<void>) => {
  const { clock, onError } = ports;
  const stores = [new Sessions(ports.documents), new SignInAttempts(ports.documents, clock)];
  const work = async (): Promise<number> => {
    for (const store of stores) await store.removeExpired(clock.now());
    return INTERVAL;
  };
  return repeat({ clock, firstDelay: FIRST_RUN, work, failureDelay: INTERVAL, onError });
};
