import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own words, at a level where they do not bury ours. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug({ from: 'nest' }, String(message)),
  warn: (message: unknown) => logger.warn({ from: 'nest' }, String(message)),
  error: (message: unknown, ...detail: unknown[]) => {
    // The application throws what it logs here: the caller reports that error, in better words.
    if (detail.at(-1) === 'NestApplication') return;
    logger.error({ from: 'nest', detail: detail.filter((part) => part !== undefined).map(String) }, String(message));
  },
});
