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
