const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** "with jitter": never earlier than stated, and up to this share of the delay later. */
export const JITTER = 0.1;

/** A receiver that asks for more patience is given it, up to a day. */
const LONGEST_RETRY_AFTER = DAY;

/** "5 days of nothing but failures disable the endpoint." */
export const FAILING_MILLISECONDS = 5 * DAY;

/** While something fails, the next attempt follows within this many milliseconds: the longest wait, and an hour for what may hold it up. */
export const MAX_ATTEMPT_GAP = DAY * (1 + JITTER) + HOUR;

/** What decides when a delivery is tried again. */
export type RetrySchedule = {
  /** Milliseconds before each attempt. */
  readonly delays: readonly number[];
  /** From 0 to 1, as Math.random. */
  readonly random: () => number;
};

/**
 * Milliseconds to wait after so many failed attempts of a round; null when there is no further attempt. "Retry-After is
 * honoured": it never makes an attempt come sooner than the schedule says.
 */
export const nextRetryDelay = ({ delays, random }: RetrySchedule, failures: number, retryAfter: number | null): number | null => {
  const delay = delays[failures];
  if (delay === undefined) return null;
  return Math.max(Math.round(delay * (1 + JITTER * random())), Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER));
};

/** What a Retry-After header asks for, in milliseconds from now: "HTTP-date / delay-seconds" (RFC 9110); null for anything else. */
export const parseRetryAfter = (header: string | undefined, now: Date): number | null => {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  // A date names its day; Date.parse alone would also read "2.5" as one.
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
};
