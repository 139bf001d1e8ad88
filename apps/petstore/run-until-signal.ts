import type { Log } from './log.js';

/** Something that serves until it is told to stop. */
type Running = { stop(): Promise<void> };

/** Stops it on SIGINT or SIGTERM: what was accepted is answered, what was begun is finished. */
export const runUntilSignal = (running: Running, log: Log): void => {
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping: finishing what was begun');
    await running.stop();
    log.info('stopped');
  };
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A signal to the whole process group comes a second time from the wrapper: it must not end the stop half-way.
    process.on(signal, () => {
      stopping ??= stop(signal).catch((error: unknown) => {
        log.fatal({ err: error }, 'could not stop in good order');
        process.exit(1);
      });
    });
  }
};
