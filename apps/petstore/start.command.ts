import type { Settings } from '../../libs/application/settings.js';
import { banner } from './banner.js';
import { createLog } from './log.js';
import { start } from './start.js';

/** Serves until SIGINT or SIGTERM; then answers what was accepted and stops. */
export const startCommand = async (settings: Settings): Promise<void> => {
  const log = createLog(settings.logLevel);
  const running = await start(settings, log);
  process.stdout.write(banner(running.url, settings));
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
