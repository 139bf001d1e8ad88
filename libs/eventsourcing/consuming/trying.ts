import { StoreUnavailable } from '../ports/event-store.port.js';

/** Milliseconds before the tries of a message; when the last has failed, its key is parked. */
const TRIES_AFTER: readonly number[] = [0, 50, 250, 1_000, 5_000];
/** Between two tries of what the store, and not the message, is to blame for. */
export const STORE_PAUSE = 5_000;

/** Who tries, and for how long. */
export type Trying = {
  /** Whether it is still to be done, and by the caller. */
  readonly goesOn: () => boolean;
  /** Told of every failure that another try follows. */
  readonly failed: (error: unknown) => void;
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** What became of a message: dealt with, left to the next owner, or the error of its last try. */
export type Tried = { readonly kind: 'done' | 'dropped' } | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Tries a message a few times, with longer and longer waits. A store that cannot be used is not the message's fault: for
 * as long as it cannot, no try counts.
 */
export const tryMessage = async (work: () => Promise<void>, { goesOn, failed, wait }: Trying): Promise<Tried> => {
  for (let tries = 1; goesOn();) {
    try {
      await work();
      return { kind: 'done' };
    } catch (error) {
      const pause = error instanceof StoreUnavailable ? STORE_PAUSE : TRIES_AFTER[tries++];
      if (pause === undefined) return { kind: 'failed', error };
      failed(error);
      await wait(pause);
    }
  }
  return { kind: 'dropped' };
};

/** Tries what nothing but the store can fail, until it is done; answers false when it did not go on for so long. */
export const tryStoring = async (work: () => Promise<void> | void, { goesOn, failed, wait }: Trying): Promise<boolean> => {
  while (goesOn()) {
    try {
      await work();
      return true;
    } catch (error) {
      failed(error);
      await wait(STORE_PAUSE);
    }
  }
  return false;
};
