import { openEventStore, type EventStoreDb } from '../../../libs/adapters/eventstoredb/index.js';
import type { EventStoreOptions } from '../../../libs/adapters/eventstoredb/event-store.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { startProtocolServer, type ProtocolServer } from './protocol-server.js';

/** The servers and stores of one test. */
export type OpenedStores = {
  readonly server: ProtocolServer;
  /** A store that is connected to `server`. */
  readonly store: EventStoreDb;
  /** All warnings that the stores logged. */
  readonly warnings: readonly string[];
  /** Opens another store, on `server` by default. */
  open(options?: Partial<EventStoreOptions>): Promise<EventStoreDb>;
  /** Starts another empty server. */
  serve(): Promise<ProtocolServer>;
  /** Closes all these stores and servers, the last opened first. */
  close(): Promise<void>;
};

/** Starts an empty server and opens a store on it. */
export const openStores = async (): Promise<OpenedStores> => {
  const opened: { close(): Promise<void> }[] = [];
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message), error: () => undefined };
  const serve = async (): Promise<ProtocolServer> => {
    const one = await startProtocolServer(':memory:');
    opened.push(one);
    return one;
  };
  const server = await serve();
  const open = async (options: Partial<EventStoreOptions> = {}): Promise<EventStoreDb> => {
    const one = await openEventStore({ url: server.url, clock: systemClock, log, ...options });
    opened.push(one);
    return one;
  };
  const close = async (): Promise<void> => {
    for (const one of opened.toReversed()) await one.close();
  };
  return { server, store: await open(), warnings, open, serve, close };
};
