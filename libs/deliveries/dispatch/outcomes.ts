import { endOfAttempt, type Attempt, type Delivery, type ParkedReason } from '../delivery.js';
import { nextRetryDelay, type RetrySchedule } from './schedule.js';

/** The response status of a receiver that wants no more deliveries (contract 20.6). */
const GONE = 410;

/** Whether the receiver acknowledged the delivery with a status 2xx. A redirect is no acknowledgement (contract 20.3). */
export const isAcknowledged = ({ status }: Pick<Attempt, 'status'>): boolean => status !== undefined && status >= 200 && status < 300;

/** Whether the attempts of the current round have ended. Only a redelivery starts another round. */
export const isFinished = ({ status }: Pick<Delivery, 'status'>): boolean => status === 'delivered' || status === 'parked';

/** Returns a delivery as parked: it stays stored, but no attempt follows (contract 20.5). */
export const park = (delivery: Delivery, parkedBecause: ParkedReason): Delivery => ({
  ...delivery,
  status: 'parked',
  parkedBecause,
  nextAttemptAt: null,
});

/**
 * Returns a delivery as it is after an attempt. A delivery that was parked during the attempt stays parked,
 * unless the attempt succeeded. `retryAfter` is the receiver's requested delay in milliseconds, or null.
 */
export const afterAttempt = (delivery: Delivery, attempt: Attempt, retryAfter: number | null, retrying: RetrySchedule): Delivery => {
  const attempts = [...delivery.attempts, attempt];
  if (isAcknowledged(attempt)) {
    const { parkedBecause: _, ...rest } = delivery;
    return { ...rest, attempts, status: 'delivered', nextAttemptAt: null };
  }
  const failures = delivery.failures + 1;
  const failed = { ...delivery, attempts, failures };
  if (isFinished(delivery)) return failed;
  if (attempt.status === GONE) return park(failed, 'gone');
  const wait = nextRetryDelay(retrying, failures, retryAfter);
  if (wait === null) return park(failed, 'exhausted');
  return { ...failed, status: 'pending', nextAttemptAt: new Date(endOfAttempt(attempt) + wait).toISOString() };
};

/**
 * Returns the milliseconds between the last attempt of a pending delivery and its next attempt. Both times are by the clock of the process
 * that made the attempt, so the clocks of other processes do not matter.
 */
export const pauseOf = ({ attempts, failures, nextAttemptAt }: Delivery): number => {
  const last = attempts.at(-1);
  return last && failures > 0 && nextAttemptAt !== null ? Date.parse(nextAttemptAt) - endOfAttempt(last) : 0;
};

/**
 * Returns a delivery as it is at the start of another round: its retry schedule starts from the beginning
 * (contract 20.11).
 */
export const startNewRound = (delivery: Delivery, redeliveryId: string, sequence: string | null, now: Date): Delivery => {
  const { parkedBecause: _, ...rest } = delivery;
  return {
    ...rest,
    redeliveryId,
    sequence,
    round: delivery.round + 1,
    failures: 0,
    status: sequence === null ? 'pending' : 'waiting',
    nextAttemptAt: now.toISOString(),
  };
};
