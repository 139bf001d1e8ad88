import { setFlagsFromString } from 'node:v8';
import { CommanderError } from 'commander';
import { FolderRefused } from '../../libs/adapters/sqlite/index.js';
import { parseSettings, SettingsError } from '../../libs/settings/settings.js';
import { EXIT_HISTORY, EXIT_REJECTED } from './errors/exit-codes.js';
import { AuditError } from './errors/audit-error.js';
import { ExportError } from './errors/export-error.js';
import { HistoryError } from './errors/history-error.js';
import { program } from './program.js';
import { formatError } from './errors/error-text.js';
import { PROGRAM_NAME, programOn } from './terminal/installation.js';
import { guardStandardStreams } from './terminal/standard-streams.js';

/** The commands that run a service until a signal. They continue even if standard output fails. */
const SERVICES: ReadonlySet<string> = new Set(['start', 'api', 'worker']);

/**
 * After a collection, the heap of a service may grow to three times its size before the next one. Without this flag, V8
 * chooses a factor from 1.1 to 4, often a low one. With a low factor, twenty uploads at once cause two collections a second.
 * Each collection delays all requests by 8 ms.
 */
const GARBAGE_COLLECTION = '--heap-growing-percent=200';

let isService = false;
program.hook('preAction', (_, command) => {
  isService = SERVICES.has(command.name());
  if (isService) setFlagsFromString(GARBAGE_COLLECTION);
});
guardStandardStreams(() => isService);

/** How a user starts this program on the store of the settings. Invalid settings are reported elsewhere. */
const programName = (): string => {
  try {
    return programOn(parseSettings(process.env));
  } catch (error) {
    if (error instanceof SettingsError) return PROGRAM_NAME;
    throw error;
  }
};

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the error. Its exit code 1 for a mistyped command is replaced, because EXIT_INCOMPLETE is also 1.
    if (error.exitCode !== 0) process.exitCode = EXIT_REJECTED;
  } else {
    const text = formatError(error, [FolderRefused]);
    if (text === null) throw error;
    // Libraries do not know how a user starts this program. They write "petstore start".
    process.stderr.write(`${text.replaceAll('"petstore ', () => `"${programName()} `)}\n`);
    const isAltered = [HistoryError, AuditError, ExportError].some((kind) => error instanceof kind);
    process.exitCode = isAltered ? EXIT_HISTORY : EXIT_REJECTED;
  }
}
