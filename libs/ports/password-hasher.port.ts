/** `outdated`: the password is correct, but `hash` would return a hash that accepts more of its notations. Store that hash. */
export type Verification = 'correct' | 'outdated' | 'wrong';

/** Hashes passwords slowly, so that a stolen hash takes long to guess. Calls do not block the event loop. */
export abstract class PasswordHasher {
  /** Returns the hash with its salt and parameters, as a PHC string. Rejects with HasherBusy. */
  abstract hash(password: string): Promise<string>;
  /**
   * Compares a password with a hash. If `hash` is null, returns `wrong` after the same time as for a hash, so that the time does
   * not reveal whether an account exists. Rejects with HasherBusy.
   */
  abstract verify(password: string, hash: string | null): Promise<Verification>;
}

/** Thrown when too many calls are waiting. The caller can try again later. */
export class HasherBusy extends Error {
  override readonly name = 'HasherBusy';
}
