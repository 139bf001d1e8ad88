import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that sends requests. If it were a thread of the benchmark, it would delay the measured reads. */
export type LoadProcess = {
  /** Starts the requests. Until `stop`, each finished request is followed by the next one. */
  start(): void;
  /**
   * Starts no further requests, and waits for the running ones. Resolves with the number of successful ones since `start`. Rejects if
   * the process has failed.
   */
  stop(): Promise<number>;
  end(): void;
};

/** Starts a program that calls `runLoad`, and waits until it is ready. `plan` is what it needs. */
export const startLoadProcess = async (program: string, plan: object): Promise<LoadProcess> => {
  const child = fork(`dist/test/bench/${program}.js`, [], { execArgv: ['--no-warnings'] });
  const nextMessage = (): Promise<unknown> =>
    Promise.race([
      once(child, 'message').then(([message]) => message as unknown),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${String(code)}`))),
    ]);
  child.send(plan);
  await nextMessage();
  return {
    start: () => void child.send('start'),
    stop() {
      child.send('stop');
      return nextMessage().then(Number);
    },
    end: () => void child.send('end'),
  };
};
