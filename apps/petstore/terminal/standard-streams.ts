import { EXIT_INCOMPLETE } from '../errors/exit-codes.js';

/**
 * Keeps a standard stream that fails from ending the process with a stack trace. A service goes on without it. A command
 * whose answer cannot be written says so and stops, as on Ctrl-C where it listens for that.
 */
export const guardStandardStreams = (isService: () => boolean): void => {
  process.stderr.on('error', () => undefined);
  let hasFailed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isService() || hasFailed) return;
    hasFailed = true;
    const why = error.code === 'EPIPE' ? 'nobody reads it any more' : error.message;
    process.stderr.write(`standard output cannot be written: ${why}; what is missing was not printed\n`);
    process.exitCode = EXIT_INCOMPLETE;
    if (!process.emit('SIGINT')) process.exit();
  });
};
