import type { Server } from 'node:http';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Log } from '../logging/log.js';

export type CloseOptions = {
  readonly server: Server;
  /** Milliseconds that open connections may take to finish. */
  readonly within: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long a process that stops still answers on connections that its clients keep, in milliseconds. */
const DRAIN = 1_000;

/** Answers with `Connection: close` for a second, or for STOP_WAIT if that is less (contract 26.4). */
export const drainConnections = (
  server: { readonly drain: (milliseconds: number) => Promise<void> },
  stopWaitMilliseconds: number,
): Promise<void> => server.drain(Math.min(DRAIN, stopWaitMilliseconds));

/**
 * Calls `close`, which waits for the connections of the server. Closes connections that are still open after
 * `within`, which is the setting STOP_WAIT.
 */
export const closeWithin = async ({ server, within, clock, log }: CloseOptions, close: () => Promise<unknown>): Promise<void> => {
  const cancel = clock.after(within, () => {
    server.getConnections((_, connections) => {
      log.warn({ connections, stopWaitMilliseconds: within }, 'connections were closed: they were still busy after STOP_WAIT');
      server.closeAllConnections();
    });
  });
  try {
    await close();
  } finally {
    cancel();
  }
};
