import { isatty } from 'node:tty';
import { pino, type Logger } from 'pino';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { DisabledNotice } from '../../../libs/deliveries/dispatch/deliver.js';
import { clock } from '../composition/clock.js';
import { pause } from '../terminal/pause.js';
import { LineQueue } from './line-queue.js';
import { openStandardError, STANDARD_ERROR } from './output.js';
import type { Lines } from './terminal-lines.js';

/** Null if standard error is no terminal: pino-pretty takes 50 ms to load, and commands need it only there. */
const terminal = isatty(STANDARD_ERROR) ? await import('./terminal-lines.js') : null;

/**
 * Serializes an error for the log. StoreUnavailable is expected while a server starts, elects a leader or is down: its message
 * says what failed, and a stack would look like a bug.
 */
export const serializeError = (error: unknown): unknown =>
  error instanceof StoreUnavailable ? { type: error.name, message: error.message } : pino.stdSerializers.err(error as Error);

/** The log of the service. */
export type Log = Logger;

/**
 * Creates a log that writes to standard error, because standard output is for the result of a command: short texts to a terminal,
 * JSON lines otherwise. Secrets are redacted in both, although no caller should pass them.
 */
export const createLog = (level: string): Log => createPino(openProcessQueue(), level);

const createPino = (lines: Lines, level: string): Log =>
  pino(
    {
      level,
      serializers: { err: serializeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.authorization', '*.password', '*.number', '*.cvc', '*.token', '*.secret', 'req.headers'], censor: '[redacted]' },
    },
    terminal?.createTerminalLines(lines, { hasColors: process.stderr.hasColors(), clock }) ?? lines,
  );

/**
 * Resolves when all lines are written, and at the latest after `within` milliseconds. So a blocked output delays the exit of
 * the process only for that time.
 */
export const flushLines = async (within: number): Promise<void> => {
  let isOver = false;
  clock.after(within, () => (isOver = true));
  while (queue && !queue.isEmpty() && !isOver) await pause(10);
};

/** Returns the number of log lines that this process has dropped. */
export const droppedLines = (): number => queue?.droppedLines() ?? 0;

/** The queue that all logs of the process share, because there is only one standard error. */
let queue: LineQueue | null = null;

const openProcessQueue = (): LineQueue => {
  if (queue) return queue;
  const lines = new LineQueue({
    output: openStandardError(),
    after: (milliseconds, work) => void clock.after(milliseconds, work),
    onSpace: (dropped) => createPino(lines, 'warn').warn({ dropped }, 'log lines were dropped: the output was too slow'),
  });
  process.once('exit', () => lines.writeNow());
  return (queue = lines);
};

/** Returns a function that logs that a webhook endpoint was disabled. */
export const logDisabledEndpoint =
  (log: Log) =>
  ({ url, ...notice }: DisabledNotice): void =>
    // Only the host is logged, because the rest of the URL may contain a secret.
    log.warn({ ...notice, host: new URL(url).host }, 'a webhook endpoint is disabled: it answered 410, or every delivery failed for days');
