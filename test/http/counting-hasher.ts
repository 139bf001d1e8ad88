import type { PasswordHasher } from '../../libs/ports/password-hasher.port.js';

/** A fast hasher for tests, which counts its calls. */
export type CountingHasher = PasswordHasher & {
  /** The number of calls of `hash` and of `verify`. */
  readonly calls: { hash: number; verify: number };
};

/** Creates a hasher whose hashes are readable texts. */
export const countingHasher = (): CountingHasher => {
  const calls = { hash: 0, verify: 0 };
  return {
    calls,
    async hash(password) {
      calls.hash++;
      return `hash of ${password}`;
    },
    async verify(password, hash) {
      calls.verify++;
      return hash === `hash of ${password}` ? 'correct' : 'wrong';
    },
  };
};
