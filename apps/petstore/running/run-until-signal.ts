import { flushLines, type Log } from '../logging/log.js';

/** Something that serves until it is told to stop. */
type Running = { stop(): Promise<void> };

/** How long the end waits for the last log lines, in milliseconds. */
const LAST_LINES = 1_000;

/** Stops it on SIGINT or SIGTERM: what was accepted is answered, what was begun is finished. Then the process ends. */
export const runUntilSignal = (running: Running, log: Log): void => {
  const stop = async (signal: string): Promise<number> => {
    try {
      log.info({ signal }, 'stopping: finishing what was begun');
      await running.stop();
      log.info('stopped');
      return 0;
    } catch (error) {
      log.fatal({ err: error }, 'could not stop in good order');
      return 1;
    }
  };
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A signal to the whole process group comes a second time from the wrapper: it must not end the stop half-way.
    process.on(signal, () => {
      stopping ??= stop(signal).then(async (code) => {
        await flushLines(LAST_LINES);
        // A standard output that nobody reads would keep the process for as long as that lasts.
        process.exit(code);
      });
    });
  }
};
