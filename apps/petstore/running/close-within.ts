import type { Server } from 'node:http';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Log } from '../logging/log.js';

export type StopWait = {
  readonly server: Server;
  /** How long connections may finish, in milliseconds. */
  readonly within: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** Closes a server with `close`, which waits for its connections; those that are still open after STOP_WAIT are closed. */
export const closeWithin = async ({ server, within, clock, log }: StopWait, close: () => Promise<unknown>): Promise<void> => {
  const forget = clock.after(within, () => {
    server.getConnections((_, connections) => {
      log.warn({ connections, stopWaitMilliseconds: within }, 'connections were closed: they were still busy after STOP_WAIT');
      server.closeAllConnections();
    });
  });
  try {
    await close();
  } finally {
    forget();
  }
};
