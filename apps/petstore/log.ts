import { pino, type Logger } from 'pino';

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
