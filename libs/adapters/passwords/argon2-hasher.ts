import { hash, verify } from '@node-rs/argon2';
import { HasherBusy, type PasswordHasher } from '../../ports/password-hasher.port.js';

/**
 * Argon2id with the minimum of the OWASP Password Storage Cheat Sheet: 19 MiB of memory, 2 passes, 1 thread.
 * The library salts each hash with 16 random bytes.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Maximum number of concurrent calls. They use threads that Node also needs for files and names. */
const MAX_RUNNING = 2;
/** Maximum number of waiting calls. With about 20 ms each, the last one waits about half a second. */
const MAX_WAITING = 50;

/** The hash of a password that nobody knows. Verifying it takes as long as verifying an account's hash. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$6zhKu3CMuxWO7zNwAIEQBA$R7OGoj2JcGoexksj+zS1tTAhcxCaORqeEmKdIjPKKYI';

/** Creates a hasher that uses argon2id. Its calls run in threads, a few at a time. */
export const argon2Hasher = (): PasswordHasher => {
  const limited = limitConcurrency();
  return {
    hash: (password) => limited(() => hash(password, PARAMETERS)),
    verify: (password, stored) =>
      limited(async () => {
        const isCorrect = await verify(stored ?? DECOY, password);
        return isCorrect && stored !== null;
      }),
  };
};

/** Returns a function that runs calls in order, at most MAX_RUNNING at a time. */
const limitConcurrency = (): (<T>(call: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) throw new HasherBusy('too many passwords are waiting to be checked');
      // The call that ends passes its place on, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
