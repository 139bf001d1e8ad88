import { EXIT_INCOMPLETE } from '../errors/exit-codes.js';

/**
 * Handles errors of the standard streams. Without a handler, such an error would end the process with a stack trace. A service
 * continues without the stream. A command reports that its output is lost and stops, as it does on Ctrl-C.
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
    // A command that does not listen for SIGINT has nothing to clean up.
    if (!process.emit('SIGINT')) process.exit();
  });
};
