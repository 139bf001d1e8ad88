/** Limits how fast all clients together, over all processes, can guess the password of an account (contract 30.7). */
export interface SignInAttempts {
  /**
   * Counts an attempt for the account with this key. Returns null if the attempt is permitted, otherwise the seconds until
   * another attempt is permitted. Attempts at names that nobody has are counted apart, so that they never use up the
   * attempts of an account.
   */
  take(key: string, name: 'known' | 'unknown'): number | null;
}

/** Permits every attempt: for processes that answer no requests. */
export const UNLIMITED_ATTEMPTS: SignInAttempts = { take: () => null };
