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

/** The retry schedule of deliveries. */
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
