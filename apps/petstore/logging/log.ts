import { pino, type Logger } from 'pino';
import type { DisabledNotice } from '../../../libs/deliveries/dispatch/deliver.js';
import { clock } from '../composition/clock.js';
import { pause } from '../terminal/pause.js';
import { LineQueue } from './line-queue.js';
import { openStandardError } from './output.js';

/** Where commands and the store say what an operator should know. */
export type Log = Logger;

/** Structured lines on standard error: standard output belongs to what a command answers. Secrets never get this far; should one, it is cut out. */
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

/** Resolves once all lines are written, or after that time: an output that takes nothing does not hold up the end. */
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
    onRoom: (dropped) =>
      createPino(lines, 'warn').warn({ dropped }, 'log lines were dropped: the log could not be written as fast as it came'),
  });
  process.once('exit', () => lines.writeNow());
  return (queue = lines);
};

/** Says that an endpoint was switched off, and by what it answered. */
export const logDisabledEndpoint =
  (log: Log) =>
  ({ url, ...notice }: DisabledNotice): void =>
    // An address may hold what only its owner should know.
    log.warn({ ...notice, host: new URL(url).host }, 'a webhook endpoint is disabled: it is gone, or has done nothing but fail for days');
