import { EXIT_INCOMPLETE } from '../errors/exit-codes.js';

/**
 * Prevents a failed standard stream from ending the process with a stack trace. A service continues without
 * it. A command reports that its output cannot be written and stops; one that handles Ctrl-C stops as on
 * Ctrl-C.
 */
export const guardStandardStreams = (isService: () => boolean): void => {
  process.stderr.on('error', () => undefined);
  let hasFailed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isService() || hasFailed) return;
    hasFailed = true;
    const why = error.code === 'EPIPE' ? 'its reader has closed it' : error.message;
    process.stderr.write(`standard output cannot be written: ${why}; the rest of the output is lost\n`);
    process.exitCode = EXIT_INCOMPLETE;
    if (!process.emit('SIGINT')) process.exit();
  });
};
