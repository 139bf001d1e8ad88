/** Limits how fast all clients together, over all processes, can guess the password of an account (contract 30.7). */
export interface SignInAttempts {
  /**
   * Counts an attempt for the account with this key. Returns null if the attempt is permitted, otherwise the seconds until
   * another attempt is permitted.
   */
  take(key: string): number | null;
}

/** Permits every attempt: for processes that answer no requests. */
export const UNLIMITED_ATTEMPTS: SignInAttempts = { take: () => null };
