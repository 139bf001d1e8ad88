import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Structured lines on standard error: standard output belongs to what a command answers. Secrets never get this far; should one, it is cut out. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.authorization', '*.password', '*.number', '*.cvc', '*.token', '*.secret', 'req.headers'], censor: '[redacted]' },
    },
    pino.destination({ dest: 2, sync: false }),
  );

/** Nest's own words, at a level where they do not bury ours. */
export const nestLog = (log: Log): LoggerService => ({
  log: (message: unknown) => log.debug(String(message)),
  error: (message: unknown, ...rest: unknown[]) => log.error({ detail: rest.map(String) }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
  debug: (message: unknown) => log.debug(String(message)),
  verbose: (message: unknown) => log.trace(String(message)),
});
