import { StoreUnavailable } from '../ports/event-store.port.js';

/** Milliseconds before each attempt to handle a message. When the last attempt fails, the key is parked. */
const RETRY_DELAYS: readonly number[] = [0, 50, 250, 1_000, 5_000];
/** Milliseconds before the next attempt if the store was unavailable. */
export const STORE_RETRY_DELAY = 5_000;

/** How failed work is retried, and for how long. */
export type RetryPolicy = {
  /** Returns whether to make another attempt. */
  readonly shouldContinue: () => boolean;
  /** Called after every failure that is retried. */
  readonly onFailure: (error: unknown) => void;
  readonly wait: (milliseconds: number) => Promise<void>;
};

/**
 * The outcome of a message. `dropped`: not handled, because this process stopped or another process took over the
 * partition. `failed`: the last attempt failed.
 */
export type HandlingOutcome = { readonly kind: 'done' | 'dropped' } | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Handles a message, with a few retries after growing pauses. An attempt that fails because the store is unavailable does
 * not count, and is repeated after STORE_RETRY_DELAY.
 */
export const handleWithRetries = async (
  work: () => Promise<void>,
  { shouldContinue, onFailure, wait }: RetryPolicy,
): Promise<HandlingOutcome> => {
  for (let tries = 1; shouldContinue();) {
    try {
      await work();
      return { kind: 'done' };
    } catch (error) {
      const pause = error instanceof StoreUnavailable ? STORE_RETRY_DELAY : RETRY_DELAYS[tries++];
      if (pause === undefined) return { kind: 'failed', error };
      onFailure(error);
      await wait(pause);
    }
  }
  return { kind: 'dropped' };
};

/** Repeats a write to the store until it succeeds. Returns false if `shouldContinue` returns false before a success. */
export const storeWithRetries = async (
  work: () => Promise<void> | void,
  { shouldContinue, onFailure, wait }: RetryPolicy,
): Promise<boolean> => {
  while (shouldContinue()) {
    try {
      await work();
      return true;
    } catch (error) {
      onFailure(error);
      await wait(STORE_RETRY_DELAY);
    }
  }
  return false;
};
