import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';

/** The remaining requests of a caller in this window, after this request. */
export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds to the end of the window, at least 1, as the RateLimit draft defines Reset. */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts one request. */
  take(key: string): Allowance;
  /** Stops the exchange of counts with other processes. */
  stop(): void;
};

/** Further callers share one bucket, so that memory is bounded (contract 11.2). */
export const MAX_BUCKETS = 100_000;
const OVERFLOW = '';

/** Milliseconds between two exchanges. In that time a caller may exceed the limit (contract 11.4). */
export const EXCHANGE_EVERY = 250;

/**
 * The admitted requests of a bucket in this window: by this process, and by others until the last exchange.
 */
type Count = { own: number; others: number };

/** The counts of one window. */
type Window = { readonly end: number; readonly counts: Map<string, Count> };

/**
 * Creates a rate limiter that counts requests by key. All keys share the same windows, so a new window drops
 * all counts at once. Processes exchange counts, and no request waits for that (contract 11.4). Rejected
 * requests are not counted, so a flood does not load the exchange.
 */
export const createRateLimiter = ({ limit, windowSeconds }: RateLimit, clock: Clock, shared?: RateLimitCounters): RateLimiter => {
  const windowMilliseconds = windowSeconds * 1000;
  let window: Window = { end: 0, counts: new Map() };
  const exchange = shared && new Exchange(shared, clock);

  const countOf = (key: string): readonly [string, Count] => {
    const { counts } = window;
    const bucket = counts.has(key) || counts.size < MAX_BUCKETS ? key : OVERFLOW;
    let count = counts.get(bucket);
    if (!count) counts.set(bucket, (count = { own: 0, others: 0 }));
    return [bucket, count];
  };

  return {
    limit,
    windowSeconds,
    take(key) {
      const now = clock.now().getTime();
      // A clock that was set back by more than a window starts a new one too.
      if (now >= window.end || now < window.end - windowMilliseconds)
        window = { end: (Math.floor(now / windowMilliseconds) + 1) * windowMilliseconds, counts: new Map() };
      const [bucket, count] = countOf(key);
      const allowed = count.own + count.others < limit;
      if (allowed) {
        count.own++;
        exchange?.changed(window, bucket);
      }
      return {
        allowed,
        remaining: Math.max(0, limit - count.own - count.others),
        resetSeconds: Math.max(1, Math.ceil((window.end - now) / 1000)),
      };
    },
    stop: () => exchange?.stop(),
  };
};

/** Exchanges the changed counts of all buckets at once. A process without requests sends nothing. */
class Exchange {
  private window: Window | undefined;
  private buckets = new Set<string>();
  private stopped = false;
  /** Cancels the next exchange; undefined if none is due. */
  private cancel: (() => void) | undefined;

  constructor(
    private readonly shared: RateLimitCounters,
    private readonly clock: Clock,
  ) {}

  /** Marks a bucket as changed and schedules an exchange. */
  changed(window: Window, bucket: string): void {
    if (this.window !== window) {
      this.window = window;
      this.buckets = new Set();
    }
    this.buckets.add(bucket);
    if (!this.stopped) this.cancel ??= this.clock.after(EXCHANGE_EVERY, () => void this.run());
  }

  stop(): void {
    this.stopped = true;
    this.cancel?.();
  }

  /** The next exchange starts after this one ends. */
  private async run(): Promise<void> {
    const { window, buckets } = this;
    this.buckets = new Set();
    if (window) await this.swap(window, buckets);
    this.cancel = undefined;
    const [next] = this.buckets;
    if (this.window && next !== undefined) this.changed(this.window, next);
  }

  private async swap({ end, counts }: Window, buckets: ReadonlySet<string>): Promise<void> {
    const own = new Map([...buckets].map((bucket) => [bucket, counts.get(bucket)?.own ?? 0]));
    try {
      const others = await this.shared.exchange(new Date(end), own);
      for (const [bucket, total] of others) {
        const count = counts.get(bucket);
        if (count) count.others = total;
      }
    } catch {
      // While the database is down each process counts alone. The next exchange repeats these buckets.
      if (this.window?.end === end) for (const bucket of buckets) this.buckets.add(bucket);
    }
  }
}
