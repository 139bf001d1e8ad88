import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';

/**
 * Whether a request is allowed, and the number of further requests that its caller may send in this window.
 */
export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds to the end of the window, at least 1, as the RateLimit draft defines Reset. */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Returns whether a request with this key is allowed, and counts the request if it is. */
  take(key: string): Allowance;
  /** Returns whether a request with this key would be allowed, and does not count it. */
  peek(key: string): Allowance;
  /** Stops the exchange of counts with other processes. */
  stop(): void;
};

/**
 * The maximum number of buckets, which bounds memory. A bucket counts the requests of one key. Once this number is reached,
 * all new keys share the overflow bucket (contract 11.2).
 */
export const MAX_BUCKETS = 100_000;
/** The name of the overflow bucket. No key is empty, so no other bucket has this name. */
const OVERFLOW_BUCKET = '';

/**
 * Milliseconds between two exchanges of counts with other processes.
 * Between two exchanges, a caller that calls several processes may exceed the limit (contract 11.4).
 */
export const EXCHANGE_INTERVAL = 250;

/**
 * The admitted requests of a bucket in this window. `own` is the number that this process admitted. `others` is the number
 * that the other processes had admitted at the last exchange.
 */
type Count = { own: number; others: number };

/** The counts of one window. */
type Window = { readonly end: number; readonly counts: Map<string, Count> };

/**
 * Creates a rate limiter that counts requests by key. The windows of all keys start at the same time. With
 * `shared`, processes exchange counts in the background (contract 11.4). Rejected requests are not counted,
 * so that they cause no exchanges.
 */
export const createRateLimiter = (rate: RateLimit, clock: Clock, shared?: RateLimitCounters): RateLimiter => {
  const windows = new Windows(rate.windowSeconds * 1000);
  const exchange = shared && new Exchange(shared, clock);
  const isAllowed = ({ own, others }: Count): boolean => own + others < rate.limit;
  const allowanceOf = ({ own, others }: Count, allowed: boolean, now: number, { end }: Window): Allowance => ({
    allowed,
    remaining: Math.max(0, rate.limit - own - others),
    resetSeconds: Math.max(1, Math.ceil((end - now) / 1000)),
  });

  return {
    limit: rate.limit,
    windowSeconds: rate.windowSeconds,
    take(key) {
      const now = clock.now().getTime();
      const window = windows.at(now);
      const bucket = bucketOf(window, key);
      const count = window.counts.get(bucket) ?? addCount(window, bucket);
      const allowed = isAllowed(count);
      if (allowed) {
        count.own++;
        exchange?.markChanged(window, bucket);
      }
      return allowanceOf(count, allowed, now, window);
    },
    peek(key) {
      const now = clock.now().getTime();
      const window = windows.at(now);
      const count = window.counts.get(bucketOf(window, key)) ?? { own: 0, others: 0 };
      return allowanceOf(count, isAllowed(count), now, window);
    },
    stop: () => exchange?.stop(),
  };
};

/** Returns the name of the bucket of a key. */
const bucketOf = ({ counts }: Window, key: string): string => (counts.size < MAX_BUCKETS || counts.has(key) ? key : OVERFLOW_BUCKET);

const addCount = ({ counts }: Window, bucket: string): Count => {
  const count = { own: 0, others: 0 };
  counts.set(bucket, count);
  return count;
};

/** The windows, one after another. */
class Windows {
  private current: Window = { end: 0, counts: new Map() };

  constructor(private readonly milliseconds: number) {}

  /** Returns the window at a time. Starts a new one after the end of the last, and if the clock was set back by more than a window. */
  at(now: number): Window {
    const { end } = this.current;
    if (now >= end || now < end - this.milliseconds)
      this.current = { end: (Math.floor(now / this.milliseconds) + 1) * this.milliseconds, counts: new Map() };
    return this.current;
  }
}

/** Exchanges the counts of changed buckets with other processes, all in one call. A process without requests sends nothing. */
class Exchange {
  private window: Window | undefined;
  private buckets = new Set<string>();
  private stopped = false;
  /** Cancels the scheduled exchange. Undefined if there is none. */
  private cancel: (() => void) | undefined;

  constructor(
    private readonly shared: RateLimitCounters,
    private readonly clock: Clock,
  ) {}

  /** Marks a bucket as changed and schedules an exchange. */
  markChanged(window: Window, bucket: string): void {
    if (this.window !== window) {
      this.window = window;
      this.buckets = new Set();
    }
    this.buckets.add(bucket);
    if (!this.stopped) this.cancel ??= this.clock.after(EXCHANGE_INTERVAL, () => void this.run());
  }

  stop(): void {
    this.stopped = true;
    this.cancel?.();
  }

  /** Runs an exchange, and then schedules another one if counts have changed during the exchange or if it failed. */
  private async run(): Promise<void> {
    const { window, buckets } = this;
    this.buckets = new Set();
    if (window) await this.exchangeCounts(window, buckets);
    this.cancel = undefined;
    // Marking one bucket again schedules an exchange of all changed buckets.
    const [next] = this.buckets;
    if (this.window && next !== undefined) this.markChanged(this.window, next);
  }

  private async exchangeCounts({ end, counts }: Window, buckets: ReadonlySet<string>): Promise<void> {
    const own = new Map([...buckets].map((bucket) => [bucket, counts.get(bucket)?.own ?? 0]));
    try {
      const others = await this.shared.exchange(new Date(end), own);
      for (const [bucket, total] of others) {
        const count = counts.get(bucket);
        if (count) count.others = total;
      }
    } catch {
      // The shared counters are unreachable. Until the next exchange, each process counts alone.
      // Marking the buckets as changed makes the next exchange send their counts again.
      if (this.window?.end === end) for (const bucket of buckets) this.buckets.add(bucket);
    }
  }
}
