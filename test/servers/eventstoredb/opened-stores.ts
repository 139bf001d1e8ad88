import { openEventStore, type EventStoreDb, type EventStoreOptions } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { startProtocolServer, type ProtocolServer } from './protocol-server.js';

/** The servers and stores of one test: those of its own, and more where it asks for them. */
export type OpenedStores = {
  readonly server: ProtocolServer;
  /** On `server`. */
  readonly store: EventStoreDb;
  /** Everything the stores have warned of. */
  readonly warnings: readonly string[];
  /** Another store, on `server` unless the options say otherwise. */
  open(options?: Partial<EventStoreOptions>): Promise<EventStoreDb>;
  /** Another server, with nothing in it. */
  serve(): Promise<ProtocolServer>;
  /** Closes all of them, the last first. */
  close(): Promise<void>;
};

/** Starts a server with nothing in it, and opens a store on it. */
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
