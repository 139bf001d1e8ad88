import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** A call for the thread: a password to verify with a stored hash, or a password and the parameters of its new hash. */
export type HashCall = { readonly password: string; readonly stored: string } | { readonly password: string; readonly parameters: object };

/** The thread's answer: a new hash, whether the password is correct, or why the call failed. */
type Answer = { readonly result: string | boolean } | { readonly failed: string };

/**
 * The `nice` value of the thread (0 to 19). A larger value means a lower priority. With this value, 10 sign-ins a second on two
 * processors do not change the p99 of other requests. With a larger value, sign-ins would wait long on a busy machine.
 */
const NICE = 5;

/**
 * The source code of the thread. It is a string and not a file, because the path of a file would end in `.js` in the compiled
 * service, but in `.ts` in tests. The priority is changed only on Linux, because other systems would change the priority of the
 * whole process.
 */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const os = require('node:os');
const argon2 = require(workerData.module);
if (process.platform === 'linux') {
  try {
    os.setPriority(workerData.nice);
  } catch {
    // Some sandboxes forbid a change of the priority. Hashes then have the same priority as requests.
  }
}
parentPort.on('message', ({ password, stored, parameters }) => {
  try {
    const result = stored === undefined ? argon2.hashSync(password, parameters) : argon2.verifySync(stored, password);
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ failed: error.message });
  }
});`;

/**
 * A thread that hashes passwords at a lower priority than requests have. Node's own thread pool has the priority of the
 * process. On a machine with few processors, a hash in Node's pool would make requests wait.
 */
export class HashThread {
  private readonly worker: Worker;
  /** Whether the thread can take another call. */
  isRunning = true;

  constructor() {
    const module = createRequire(import.meta.url).resolve('@node-rs/argon2');
    this.worker = new Worker(SOURCE, { eval: true, workerData: { module, nice: NICE }, execArgv: ['--no-warnings'] });
    this.worker.on('error', () => (this.isRunning = false));
    this.worker.on('exit', () => (this.isRunning = false));
    this.worker.unref();
  }

  /**
   * Runs one call. The caller must not begin another call before this one ends. Rejects if the call or the thread fails.
   */
  run(call: HashCall): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.worker.off('message', onAnswer).off('error', onFailure).off('exit', onExit);
        // An idle thread must not keep the process alive, but a running call must.
        this.worker.unref();
        settle();
      };
      const onAnswer = (answer: Answer): void =>
        end(() => ('result' in answer ? resolve(answer.result) : reject(new Error(answer.failed))));
      const onFailure = (error: unknown): void => end(() => reject(error instanceof Error ? error : new Error(String(error))));
      const onExit = (code: number): void => onFailure(new Error(`the thread for passwords ended with code ${code}`));
      this.worker.on('message', onAnswer).on('error', onFailure).on('exit', onExit);
      this.worker.ref();
      this.worker.postMessage(call);
    });
  }
}
