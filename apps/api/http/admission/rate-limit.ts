import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';

/** What is left to a caller in this window, this request counted. */
export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds to the window's end, at least 1: the RateLimit draft's meaning of Reset. */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts one request. */
  take(key: string): Allowance;
  /** Ends the exchange of counts with other processes. */
  stop(): void;
};

/** "the number of buckets is capped": callers beyond it share one, so that memory stays bounded. */
export const MAX_BUCKETS = 100_000;
const OVERFLOW = '';

/** Milliseconds between two exchanges. Within them a caller may exceed its limit by what the other processes admit. */
export const EXCHANGE_EVERY = 250;

/** What was admitted to one bucket in this window: by this process, and by the others as of the last exchange. */
type Count = { own: number; others: number };

/** The counts of one window. */
type Window = { readonly end: number; readonly counts: Map<string, Count> };

/**
 * Counts requests by key in fixed windows, the same for every key, so that a new window forgets them all at once. "Shared across
 * processes when there are several (each on its own while the store is down)": no request waits for the exchange. Refused requests are
 * not counted, so a flood costs the other processes nothing.
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
      // Also when the clock was set back by more than a window.
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

/** Exchanges the counts that have changed, all buckets at once; a process without requests sends nothing. */
class Exchange {
  private window: Window | undefined;
  private buckets = new Set<string>();
  private stopped = false;
  /** Takes the next exchange back; undefined while there is nothing to exchange. */
  private cancel: (() => void) | undefined;

  constructor(
    private readonly shared: RateLimitCounters,
    private readonly clock: Clock,
  ) {}

  /** The bucket's own count in this window has grown. */
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

  /** The next one begins after this one has ended. */
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
      // Each on its own while the store is down: the same buckets are in the next exchange.
      if (this.window?.end === end) for (const bucket of buckets) this.buckets.add(bucket);
    }
  }
}
