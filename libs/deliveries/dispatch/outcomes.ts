import { endOfAttempt, type Attempt, type Delivery, type ParkedReason } from '../delivery.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** A delay is extended at random by at most this share of it (contract 20.4). */
export const JITTER = 0.1;

/** The longest Retry-After that applies, in milliseconds. A longer one is reduced to this value (contract 20.4). */
const LONGEST_RETRY_AFTER = DAY;

/** How long all attempts to an endpoint may fail before the endpoint is disabled, in milliseconds (contract 20.6). */
export const FAILING_MILLISECONDS = 5 * DAY;

/**
 * The longest time between two attempts of a failing delivery, in milliseconds: the longest default delay with jitter, plus
 * an hour. After a longer gap, the five days of FAILING_MILLISECONDS start anew (contract 20.6).
 */
export const MAX_ATTEMPT_GAP = DAY * (1 + JITTER) + HOUR;

/** The retry schedule of deliveries: the setting WEBHOOK_RETRY_DELAYS. */
export type RetrySchedule = {
  /** Milliseconds before each attempt. */
  readonly delays: readonly number[];
  /** Returns a number from 0 to 1, like Math.random. */
  readonly random: () => number;
};

/**
 * Computes the delay in milliseconds after a number of failed attempts of a round. Returns null when no attempt follows.
 * Retry-After applies when it is longer than the scheduled delay (contract 20.4).
 */
export const nextRetryDelay = ({ delays, random }: RetrySchedule, failures: number, retryAfter: number | null): number | null => {
  const delay = delays[failures];
  if (delay === undefined) return null;
  return Math.max(Math.round(delay * (1 + JITTER * random())), Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER));
};

/** Parses a Retry-After header (RFC 9110, section 10.2.3) to milliseconds from now; null when invalid. */
export const parseRetryAfter = (header: string | undefined, now: Date): number | null => {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  // An HTTP date starts with the day's name. Date.parse alone would also accept "2.5".
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
};

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
