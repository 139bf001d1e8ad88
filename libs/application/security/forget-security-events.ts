import { dayOf } from '../../eventsourcing/day.js';
import { securitySubject } from '../../domain/events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { repeat } from '../../runtime/following/repeat.js';

const DAY = 86_400_000;
/** Milliseconds from the start to the first run, and between two runs. */
const FIRST_RUN = 60_000;
const INTERVAL = 3_600_000;
/** The name of the checkpoint with the last forgotten day. Its position is that day, as the number of days since 1970. */
const CHECKPOINT = 'forgotten-security-events';

export type ForgettingSecurityEvents = {
  readonly clock: Clock;
  readonly keys: KeyVault;
  readonly documents: Documents;
  readonly securityLogRetentionMilliseconds: number;
  readonly onError: (error: unknown) => void;
};

/**
 * Destroys the key of each day that ended longer ago than the retention (contract 34.2). Without the key of a day, nobody can
 * read who caused the security events of that day. A repeated call does nothing.
 */
export const forgetSecurityEvents = async (ports: Omit<ForgettingSecurityEvents, 'onError'>): Promise<void> => {
  const { clock, keys, documents, securityLogRetentionMilliseconds: retention } = ports;
  // The last day that ended longer ago than the retention, as the number of days since 1970.
  const last = Math.floor((clock.now().getTime() - retention) / DAY) - 1;
  const forgotten = await documents.checkpoint(CHECKPOINT);
  // Before the first run of a new store, `forgotten` is 0. Such a store has no security events of earlier days.
  for (let day = forgotten === 0 ? last : forgotten + 1; day <= last; day++) {
    await keys.destroyPersonalKey(securitySubject(dayOf(day * DAY)));
    await documents.apply([], { name: CHECKPOINT, position: day });
  }
};

/** Copies the last forgotten day to another store. Otherwise, that store would skip some days, and would keep their keys. */
export const copyForgottenDay = async (from: Pick<Documents, 'checkpoint'>, to: Pick<Documents, 'apply'>): Promise<void> => {
  const position = await from.checkpoint(CHECKPOINT);
  if (position > 0) await to.apply([], { name: CHECKPOINT, position });
};

/** Runs `forgetSecurityEvents` every hour. Returns a function that stops the runs and waits for the current one. */
export const startForgettingSecurityEvents = (ports: ForgettingSecurityEvents): (() => Promise<void>) => {
  const { clock, onError } = ports;
  const work = (): Promise<number> => forgetSecurityEvents(ports).then(() => INTERVAL);
  return repeat({ clock, firstDelay: FIRST_RUN, work, failureDelay: INTERVAL, onError });
};
