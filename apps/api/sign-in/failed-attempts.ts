import type { Limiters } from '../http/admission/request-limits.js';
import type { RateLimiter } from '../http/admission/rate-limit.js';
import { after, machineTime } from '../http/machine-time.js';

/** The longest wait in milliseconds for the end of another attempt from the same address. */
const LONGEST_WAIT = 2_000;

/** An attempt to sign in that may begin. Call one of the functions when its outcome is known. Later calls do nothing. */
export type Attempt = { failed(): void; succeeded(): void };

/** An attempt that may not begin yet. */
export type Refused = { readonly retrySeconds: number };

/**
 * Limits the failed attempts to sign in from an address. An attempt takes a place before its password is checked, so that attempts at the
 * same time cannot fail more often than the limit. A success gives its place back: people behind one address can all sign in.
 */
export type FailedAttempts = {
  /** Begins an attempt. If all places are taken, waits up to 2 s for one that is given back. `key` is that of the address. */
  begin(key: string): Promise<Attempt | Refused>;
};

/** Whether an attempt was refused. */
export const isRefused = (attempt: Attempt | Refused): attempt is Refused => 'retrySeconds' in attempt;

const UNLIMITED: Attempt = { failed: () => undefined, succeeded: () => undefined };

/** Creates the limit of failed attempts. With RATE_LIMIT=off, there is none. */
export const createFailedAttempts = (limiters: Limiters): FailedAttempts => {
  const failures = limiters.named('failedSignIn');
  return failures ? new LimitedFailures(failures) : { begin: () => Promise.resolve(UNLIMITED) };
};

class LimitedFailures implements FailedAttempts {
  /** The number of running attempts, which have a place, by key. */
  private readonly running = new Map<string, number>();
  /** The attempts that wait for a place, by key. */
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly failures: RateLimiter) {}

  async begin(key: string): Promise<Attempt | Refused> {
    const until = machineTime() + LONGEST_WAIT;
    for (;;) {
      const attempt = this.take(key);
      const left = until - machineTime();
      // Nothing is given back to an address whose places are all taken by failures.
      if (!isRefused(attempt) || left <= 0 || !this.running.has(key)) return attempt;
      await this.nextEnd(key, left);
    }
  }

  private take(key: string): Attempt | Refused {
    const { remaining, resetSeconds } = this.failures.peek(key);
    const taken = this.running.get(key) ?? 0;
    if (taken >= remaining) return { retrySeconds: remaining > 0 ? 1 : resetSeconds };
    this.running.set(key, taken + 1);
    let isOver = false;
    const end = (hasFailed: boolean) => (): void => {
      if (isOver) return;
      isOver = true;
      if (hasFailed) this.failures.take(key);
      this.giveBack(key);
    };
    return { failed: end(true), succeeded: end(false) };
  }

  private giveBack(key: string): void {
    const left = (this.running.get(key) ?? 1) - 1;
    if (left > 0) this.running.set(key, left);
    else this.running.delete(key);
    const [wake] = this.waiting.get(key) ?? [];
    wake?.();
  }

  /** Resolves when an attempt with this key ends, or after `milliseconds`. */
  private nextEnd(key: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const those = this.waiting.get(key) ?? new Set();
      this.waiting.set(key, those);
      const wake = (): void => {
        cancel();
        those.delete(wake);
        if (those.size === 0) this.waiting.delete(key);
        resolve();
      };
      const cancel = after(milliseconds, wake);
      those.add(wake);
    });
  }
}
