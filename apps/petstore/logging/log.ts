import { pino, type Logger } from 'pino';
import type { DisabledNotice } from '../../../libs/deliveries/dispatch/deliver.js';
import { clock } from '../composition/clock.js';
import { pause } from '../terminal/pause.js';
import { LineQueue } from './line-queue.js';
import { openStandardError } from './output.js';

/** The log that an operator reads. */
export type Log = Logger;

/**
 * Writes JSON lines to standard error; standard output is for the result of a command. Redacts secrets, which
 * no caller should pass.
 */
export const createLog = (level: string): Log => createPino(openProcessQueue(), level);

const createPino = (lines: Pick<LineQueue, 'write'>, level: string): Log =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.authorization', '*.password', '*.number', '*.cvc', '*.token', '*.secret', 'req.headers'], censor: '[redacted]' },
    },
    lines,
  );

/**
 * Resolves when all lines are written, or after this many milliseconds: a blocked output must not delay the
 * exit.
 */
export const flushLines = async (within: number): Promise<void> => {
  let isOver = false;
  clock.after(within, () => (isOver = true));
  while (queue && !queue.isEmpty() && !isOver) await pause(10);
};

/** A process has one standard error, so all its logs share one queue. */
let queue: LineQueue | null = null;

const openProcessQueue = (): LineQueue => {
  if (queue) return queue;
  const lines = new LineQueue({
    output: openStandardError(),
    after: (milliseconds, work) => void clock.after(milliseconds, work),
    onRoom: (dropped) => createPino(lines, 'warn').warn({ dropped }, 'log lines were dropped: the output was too slow'),
  });
  process.once('exit', () => lines.writeNow());
  return (queue = lines);
};

/** Logs that an endpoint was disabled, and why. */
export const logDisabledEndpoint =
  (log: Log) =>
  ({ url, ...notice }: DisabledNotice): void =>
    // The path or query of an address may contain a secret.
    log.warn({ ...notice, host: new URL(url).host }, 'a webhook endpoint is disabled: it answered 410, or every delivery failed for days');
