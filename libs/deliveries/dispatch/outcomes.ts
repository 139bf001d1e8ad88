import type { Attempt, Delivery, ParkedReason } from '../delivery.js';
import { nextRetryDelay, type RetrySchedule } from './schedule.js';

/** The status of a receiver that is permanently gone (contract 20.6). */
const GONE = 410;

/** Whether an attempt acknowledges the delivery: only 2xx does, a redirect does not (contract 20.3). */
export const isAcknowledged = ({ status }: Pick<Attempt, 'status'>): boolean => status !== undefined && status >= 200 && status < 300;

/** Whether no further attempt follows unless a redelivery is requested. */
export const isFinished = ({ status }: Pick<Delivery, 'status'>): boolean => status === 'delivered' || status === 'parked';

/** Parks a delivery, which keeps it stored (contract 20.5). */
export const park = (delivery: Delivery, parkedBecause: ParkedReason): Delivery => ({
  ...delivery,
  status: 'parked',
  parkedBecause,
  nextAttemptAt: null,
});

/**
 * Applies an attempt to its delivery. A delivery that was parked during the attempt stays parked, unless the
 * attempt succeeded. `retryAfter` is the receiver's requested delay in milliseconds, or null.
 */
export const afterAttempt = (
  delivery: Delivery,
  attempt: Attempt,
  retryAfter: number | null,
  now: Date,
  retrying: RetrySchedule,
): Delivery => {
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
  return { ...failed, status: 'pending', nextAttemptAt: new Date(now.getTime() + wait).toISOString() };
};

/** Starts another round of a delivery at the first delay, with the same id and body (contract 20.11). */
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
