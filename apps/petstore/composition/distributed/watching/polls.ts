import type { Revocations } from '../../../../../libs/application/sessions/revocations.js';
import type { Clock } from '../../../../../libs/eventsourcing/ports/clock.port.js';
import type { SigningKeys } from '../../../../../libs/ports/signing-keys.port.js';
import { projections } from '../../../../../libs/projections/projections.js';
import { recheckUnprojected, type VerifiedLog } from '../../../../../libs/runtime/codec/verified-history.js';
import { trackOutages } from '../../../../../libs/runtime/following/outages.js';
import { repeat } from '../../../../../libs/runtime/following/repeat.js';
import type { OperatorDecisions } from '../../../../../libs/runtime/operating/operator-state.js';
import type { StreamFaults } from '../../../../../libs/runtime/projecting/stream-faults.js';
import type { Log } from '../../../logging/log.js';

const PROJECTED_CATEGORIES: ReadonlySet<string> = new Set(projections.map(({ category }) => category));

/** Milliseconds between two reads of the faults that other processes found. Each read is one small command to the database. */
const FAULTS_INTERVAL = 5_000;

/**
 * Milliseconds between two reads of the tokens that other processes ended. Each read is one small request to the log. A
 * process must reject such a token within a second (contract 30.10).
 */
const REVOCATIONS_INTERVAL = 400;

/**
 * Milliseconds from the end of a read of the signing keys to the next call of `reload`. `reload` waits until one second has
 * passed since the start of the last read, so the keys are read once a second (contract 31.2).
 */
const SIGNING_KEYS_INTERVAL = 500;

/** Milliseconds between two reads of what operators have decided. Each read is that of one document. */
const DECISIONS_INTERVAL = 1_000;

/**
 * Polls the faults that other processes found. Also checks broken streams again, but only those that no projection reads:
 * a projection checks its own streams. Returns a function that stops the polling.
 */
export const pollFaults = async (events: VerifiedLog, faults: StreamFaults, clock: Clock, log: Log): Promise<() => Promise<void>> => {
  await faults.open();
  const read = async (): Promise<void> => {
    await faults.refresh();
    await recheckUnprojected(events, faults, PROJECTED_CATEGORIES);
  };
  return poll({ read, interval: FAULTS_INTERVAL, subject: 'the faults that other processes found' }, clock, log);
};

/**
 * Reads the tokens that have ended so far, and then polls for tokens that other processes end. Returns a function that stops
 * the polling.
 */
export const pollRevocations = async (revocations: Revocations, clock: Clock, log: Log): Promise<() => Promise<void>> => {
  const read = () => revocations.refresh();
  await read();
  return poll({ read, interval: REVOCATIONS_INTERVAL, subject: 'the tokens that other processes ended' }, clock, log);
};

/** Polls the signing keys, which other processes may change. Returns a function that stops the polling. */
export const pollSigningKeys = (keys: SigningKeys, clock: Clock, log: Log): (() => Promise<void>) =>
  poll({ read: () => keys.reload(), interval: SIGNING_KEYS_INTERVAL, subject: 'the keys that sign tokens' }, clock, log);

/** Reads what operators have decided so far, and then polls it. Returns a function that stops the polling. */
export const pollDecisions = async (decisions: OperatorDecisions, clock: Clock, log: Log): Promise<() => Promise<void>> => {
  const read = () => decisions.refresh();
  await read();
  return poll({ read, interval: DECISIONS_INTERVAL, subject: 'what operators have decided' }, clock, log);
};

type Poll = {
  readonly read: () => Promise<void>;
  /** Milliseconds before each read, also after a failed one. */
  readonly interval: number;
  /** The name of what is read, for the log line about a failure. */
  readonly subject: string;
};

/** Repeats a read. Of several failures in a row, logs only the first. Returns a function that stops the reads. */
const poll = ({ read, interval, subject }: Poll, clock: Clock, log: Log): (() => Promise<void>) => {
  const { reportFailure, reportRecovery } = trackOutages((error) =>
    log.warn({ err: error }, `could not read ${subject}; the read will be retried`),
  );
  const work = async (): Promise<number> => {
    await read();
    reportRecovery();
    return interval;
  };
  return repeat({ clock, firstDelay: interval, work, failureDelay: interval, onError: reportFailure });
};
