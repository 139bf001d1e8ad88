import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Creates a Nest logger that writes to the log of the service. Nest's level `log` becomes debug. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug({ from: 'nest' }, String(message)),
  warn: (message: unknown) => logger.warn({ from: 'nest' }, String(message)),
  error: (message: unknown, ...detail: unknown[]) => {
    // The last argument is the name of the Nest class that logs the message. Nest also throws the errors that
    // `NestApplication` logs, and the code that starts the application reports them.
    if (detail.at(-1) === 'NestApplication') return;
    logger.error({ from: 'nest', detail: detail.filter((part) => part !== undefined).map(String) }, String(message));
  },
});
