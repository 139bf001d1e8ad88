import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Creates a Nest logger that writes to the log of the service. Nest's level `log` becomes debug. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug({ from: 'nest' }, String(message)),
  warn: (message: unknown) => logger.warn({ from: 'nest' }, String(message)),
  error: (message: unknown, ...detail: unknown[]) => {
    // Nest also throws this error, and the caller reports it.
    if (detail.at(-1) === 'NestApplication') return;
    logger.error({ from: 'nest', detail: detail.filter((part) => part !== undefined).map(String) }, String(message));
  },
});
