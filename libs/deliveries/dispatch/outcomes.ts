import type { Attempt, Delivery, ParkedReason } from '../delivery.js';
import { nextRetryDelay, type RetrySchedule } from './schedule.js';

/** "410 disables": the receiver says that it will never be back. */
const GONE = 410;

/** "2xx acknowledges; redirects are failures." */
export const isAcknowledged = ({ status }: Pick<Attempt, 'status'>): boolean => status !== undefined && status >= 200 && status < 300;

/** Whether nothing more is to be done for it, unless somebody asks. */
export const isFinished = ({ status }: Pick<Delivery, 'status'>): boolean => status === 'delivered' || status === 'parked';

/** A delivery that is not tried any more: "then parked, never lost". */
export const park = (delivery: Delivery, parkedBecause: ParkedReason): Delivery => ({
  ...delivery,
  status: 'parked',
  parkedBecause,
  nextAttemptAt: null,
});

/**
 * A delivery after an attempt. One that was parked while it was on its way stays so, unless it has arrived.
 * `retryAfter`: how many milliseconds the receiver asks to be left alone, if it does.
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

/** A delivery at the beginning of another round, "from the first delay again", with the same id and the same body. */
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
