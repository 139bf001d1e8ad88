import { flushLines, type Log } from '../logging/log.js';
import { endProcess } from './end-process.js';

/** A server or worker that runs until `stop` is called. */
type Running = {
  /** Tells the clients of a server to leave. Called before `stop`. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
};

/** Milliseconds that the process waits for its last log lines. */
const FLUSH_TIMEOUT = 1_000;

/** On SIGINT, SIGTERM or SIGHUP (the terminal was closed), calls `stop`, which finishes the accepted work, and then ends the process. */
export const runUntilSignal = (running: Running, log: Log): void => {
  const stop = async (signal: string): Promise<number> => {
    try {
      log.info({ signal }, 'stopping: finishing the accepted work');
      await running.drain?.();
      await running.stop();
      log.info('stopped');
      return 0;
    } catch (error) {
      log.fatal({ err: error }, 'the stop failed');
      return 1;
    }
  };
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // After Ctrl-C, npm may send the same signal once more. The second signal must not interrupt the stop.
    process.on(signal, () => {
      stopping ??= stop(signal).then(async (code) => {
        await flushLines(FLUSH_TIMEOUT);
        // Without this call, a standard output that nothing reads would keep the process alive.
        endProcess(code);
      });
    });
  }
};
