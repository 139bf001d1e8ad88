import { availableParallelism } from 'node:os';
import type { Options } from '@node-rs/argon2';
import { limitCalls } from '../../eventsourcing/scheduling/limit-calls.js';
import { HasherBusy, type PasswordHasher } from '../../ports/password-hasher.port.js';
import { AnsweringThread } from '../../threads/answering-thread.js';
import { moduleBeside } from '../../threads/start-thread.js';
import type { HashCall } from './hash-thread-program.js';

/**
 * Argon2id (`algorithm: 2`) with the minimum of the OWASP Password Storage Cheat Sheet: 19 MiB of memory, 2 passes, 1
 * thread. The library salts each hash with 16 random bytes.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/**
 * Maximum number of concurrent calls. If possible, one processor is left to the event loop: with two calls on two
 * processors, other requests took 1.6 times as long.
 */
const maxRunning = (): number => Math.min(2, Math.max(1, availableParallelism() - 1));
/**
 * The `nice` value of the threads (0 to 19). Node's own thread pool has the priority of the process: on a machine with few processors,
 * a hash in it would make requests wait. With this value, 10 sign-ins a second on two processors do not change the p99 of other
 * requests. With a larger value, sign-ins would wait long on a busy machine.
 */
const NICE = 5;
/** Maximum number of waiting calls. With about 20 ms for each call, the last one waits about a second. */
const MAX_WAITING = 50;

/**
 * The hash of a password that nobody knows. If no account has the given name, the given password is verified with this
 * hash. So a sign-in with a wrong name takes as long as one with a wrong password (contract 30.7).
 */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$6zhKu3CMuxWO7zNwAIEQBA$R7OGoj2JcGoexksj+zS1tTAhcxCaORqeEmKdIjPKKYI';

/**
 * Some keyboards send `é` as one character, others as two, so passwords are normalized (contract 30.3). The form is NFC.
 * NFKC would also make different characters equal, such as `²` and `2`.
 */
const normalized = (password: string): string => password.normalize('NFC');

type HashThread = AnsweringThread<HashCall>;

const createThread = (): HashThread =>
  new AnsweringThread({
    program: moduleBeside(import.meta.url, './hash-thread-program'),
    nice: NICE,
    toError: (reason) => new Error(`the thread for passwords failed: ${reason}`),
  });

/** Creates a hasher that uses argon2id. Calls run in threads of the hasher, at most `concurrent` at the same time. */
export const argon2Hasher = (concurrent = maxRunning()): PasswordHasher => {
  const tooMany = (): Error => new HasherBusy('too many passwords are waiting to be checked');
  const limited = limitCalls({ concurrent, maxWaiting: MAX_WAITING, tooMany });
  let idle: readonly HashThread[] = [];
  const run = (call: HashCall): Promise<unknown> =>
    limited(async () => {
      const [thread = createThread(), ...others] = idle;
      idle = others;
      try {
        return await thread.ask(call);
      } finally {
        idle = [...idle, thread];
      }
    });
  return {
    hash: async (password) => String(await run({ password: normalized(password), parameters: PARAMETERS })),
    verify: async (password, stored) => {
      const matches = async (notation: string): Promise<boolean> =>
        (await run({ password: notation, stored: stored ?? DECOY })) === true && stored !== null;
      if (await matches(normalized(password))) return 'correct';
      // The hash may be older than the normalization.
      return normalized(password) !== password && (await matches(password)) ? 'outdated' : 'wrong';
    },
  };
};
