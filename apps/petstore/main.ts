import { CommanderError } from 'commander';
import { FolderRefused } from '../../libs/adapters/sqlite/index.js';
import { EXIT_HISTORY, EXIT_REJECTED } from './errors/exit-codes.js';
import { HistoryError } from './errors/history-error.js';
import { program } from './program.js';
import { formatError } from './errors/error-text.js';
import { guardStandardStreams } from './terminal/standard-streams.js';

const SERVICES: ReadonlySet<string> = new Set(['start', 'api', 'worker']);

let isService = false;
program.hook('preAction', (_, command) => void (isService = SERVICES.has(command.name())));
guardStandardStreams(() => isService);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the error. Its exit code for a mistyped command is 1, which here means an incomplete
    // result.
    if (error.exitCode !== 0) process.exitCode = EXIT_REJECTED;
  } else {
    const text = formatError(error, [FolderRefused]);
    if (text === null) throw error;
    process.stderr.write(`${text}\n`);
    process.exitCode = error instanceof HistoryError ? EXIT_HISTORY : EXIT_REJECTED;
  }
}
