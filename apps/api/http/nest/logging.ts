import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Creates Nest's logger on the log of the service. Nest's messages at `log` become debug. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug({ from: 'nest' }, String(message)),
  warn: (message: unknown) => logger.warn({ from: 'nest' }, String(message)),
  error: (message: unknown, ...detail: unknown[]) => {
    // The application also throws this error, and its caller reports it.
    if (detail.at(-1) === 'NestApplication') return;
    logger.error({ from: 'nest', detail: detail.filter((part) => part !== undefined).map(String) }, String(message));
  },
});
