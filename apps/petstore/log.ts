import { pino, type Logger } from 'pino';
import type { DisabledNotice } from '../../libs/application/deliveries/delivering.js';

/** Where commands and the store say what an operator should know. */
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

/** Says that an endpoint was switched off, and by what it answered. */
export const noticeTo =
  (log: Log) =>
  ({ url, ...notice }: DisabledNotice): void =>
    // An address may hold what only its owner should know.
    log.warn({ ...notice, host: new URL(url).host }, 'a webhook endpoint is disabled: it is gone, or has done nothing but fail for days');
