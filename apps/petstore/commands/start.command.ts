import type { Settings } from '../../../libs/settings/settings.js';
import { formatBanner } from '../terminal/banner.js';
import { CommandError } from '../errors/command-error.js';
import { createLog } from '../logging/log.js';
import { runUntilSignal } from '../running/run-until-signal.js';
import { start } from '../start.js';

/** Serves until SIGINT or SIGTERM; then answers what was accepted and stops. */
export const startCommand = async (settings: Settings): Promise<void> => {
  if (settings.servers)
    throw new CommandError(
      '"start" keeps everything in DATA_DIR; EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS are set, so start "api" and "worker", or unset them',
    );
  const log = createLog(settings.logLevel);
  const running = await start(settings, log);
  // Before anybody is told that it is open: from then on it may be told to stop.
  runUntilSignal(running, log);
  process.stdout.write(formatBanner(running.url, settings));
};
