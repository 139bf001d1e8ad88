import type { Settings } from '../../../libs/settings/settings.js';
import { formatBanner } from '../terminal/banner.js';
import { mayGiveLink } from '../terminal/console-link.js';
import { CommandError } from '../errors/command-error.js';
import { programOn } from '../terminal/installation.js';
import { createLog } from '../logging/log.js';
import { operatorName } from './ops/run-as-operator.js';
import { assertErasuresFinished } from './erasures/unfinished-erasures.js';
import { runUntilSignal } from '../running/run-until-signal.js';
import { start } from '../start.js';

/** Runs the embedded service until SIGINT or SIGTERM, then finishes accepted requests. */
export const startCommand = async (settings: Settings): Promise<void> => {
  if (settings.servers)
    throw new CommandError(
      '"start" stores everything in DATA_DIR, but EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS are set: run "api" and "worker", or unset all three',
    );
  assertErasuresFinished(settings);
  const log = createLog(settings.logLevel);
  const isOnTerminal = process.stdout.isTTY;
  const running = await start(settings, log, mayGiveLink(settings, isOnTerminal) ? { linkUser: operatorName() } : {});
  // Another program may send a signal as soon as it reads the banner, so the signal handler must exist before the banner.
  runUntilSignal(running, log);
  const adminPassword = await running.createFirstAdmin({
    password: settings.adminPassword,
    isOnTerminal,
    program: programOn(settings),
  });
  process.stdout.write(formatBanner(running.url, settings, { adminPassword, link: running.createLink() }));
};
