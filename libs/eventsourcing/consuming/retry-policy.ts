import { StoreUnavailable } from '../ports/event-store.port.js';

/** Milliseconds before each retry of a message. When the last attempt fails, its key is parked. */
const RETRY_DELAYS: readonly number[] = [0, 50, 250, 1_000, 5_000];
/** Milliseconds between attempts that fail because the store is unavailable. */
export const STORE_RETRY_DELAY = 5_000;

/** How failed work is retried, and for how long. */
export type RetryPolicy = {
  /** Returns whether the caller should continue. */
  readonly shouldContinue: () => boolean;
  /** Called after every failure that is retried. */
  readonly onFailure: (error: unknown) => void;
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** The outcome of a message: handled, dropped for its next owner, or the error of the last attempt. */
export type HandlingOutcome = { readonly kind: 'done' | 'dropped' } | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Runs the work of a message with a few retries and growing pauses. Attempts that fail because the store is
 * unavailable do not count.
 */
export const handleWithRetries = async (
  work: () => Promise<void>,
  { shouldContinue: goesOn, onFailure: failed, wait }: RetryPolicy,
): Promise<HandlingOutcome> => {
  for (let tries = 1; goesOn();) {
    try {
      await work();
      return { kind: 'done' };
    } catch (error) {
      const pause = error instanceof StoreUnavailable ? STORE_RETRY_DELAY : RETRY_DELAYS[tries++];
      if (pause === undefined) return { kind: 'failed', error };
      failed(error);
      await wait(pause);
    }
  }
  return { kind: 'dropped' };
};

/** Runs work that only the store can fail, until it succeeds. Returns false if it had to stop first. */
export const storeWithRetries = async (
  work: () => Promise<void> | void,
  { shouldContinue: goesOn, onFailure: failed, wait }: RetryPolicy,
): Promise<boolean> => {
  while (goesOn()) {
    try {
      await work();
      return true;
    } catch (error) {
      failed(error);
      await wait(STORE_RETRY_DELAY);
    }
  }
  return false;
};
