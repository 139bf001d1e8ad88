import { MongoClient, type MongoClientOptions } from 'mongodb';

/**
 * Milliseconds without a response after which the driver closes a connection. The longest request takes much
 * less than a second.
 */
const SOCKET_TIMEOUT = 10_000;
/** Milliseconds to wait for a usable server, for a new connection, or for a free connection of the pool. */
const CONNECT_TIMEOUT = 2_000;

/**
 * Options that override those in the URL. With a weaker write concern, acknowledged writes could be lost
 * (contract 24.1).
 */
const OPTIONS: MongoClientOptions = {
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  serverSelectionTimeoutMS: CONNECT_TIMEOUT,
  connectTimeoutMS: CONNECT_TIMEOUT,
  waitQueueTimeoutMS: CONNECT_TIMEOUT,
  socketTimeoutMS: SOCKET_TIMEOUT,
  // The driver finds a restarted server within this time.
  heartbeatFrequencyMS: 1_000,
};

/** Creates a client of a replica set without connecting. */
export const clientOf = (url: string, appName: string): MongoClient => new MongoClient(url, { ...OPTIONS, appName });

const DEFAULT_DATABASE = 'petstore';

/**
 * Returns the name of the database: the one in the URL, or `petstore`, followed by the namespace, as in
 * `petstore_shop` (contract 24.10).
 */
export const databaseIn = (url: string, namespace = ''): string => {
  // The class `URL` cannot parse this URL, because it rejects a URL with several hosts.
  const [, name] = /^[^:]+:\/\/[^/?]+\/([^?]*)/.exec(url) ?? [];
  const database = name ? decodeURIComponent(name) : DEFAULT_DATABASE;
  return namespace === '' ? database : `${database}_${namespace}`;
};
