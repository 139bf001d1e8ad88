import { MongoClient, type MongoClientOptions } from 'mongodb';

/** Socket timeout. A dead server is detected in seconds, and the longest request takes well under one. */
const SOCKET_TIMEOUT = 10_000;
const CONNECT_TIMEOUT = 2_000;

/**
 * These options override the URL: any less would lose acknowledged writes (contract 24.1: majority,
 * journaled).
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
  // A restarted server is found within this time.
  heartbeatFrequencyMS: 1_000,
};

/** Creates a client of a replica set without connecting. */
export const clientOf = (url: string, appName: string): MongoClient => new MongoClient(url, { ...OPTIONS, appName });

const DEFAULT_DATABASE = 'petstore';

/**
 * Returns the database name in a URL, or `petstore` if it has none. A namespace follows it: `petstore_shop`
 * (contract 24.10).
 */
export const databaseIn = (url: string, namespace = ''): string => {
  const [, name] = /^[^:]+:\/\/[^/?]+\/([^?]*)/.exec(url) ?? [];
  const database = name ? decodeURIComponent(name) : DEFAULT_DATABASE;
  return namespace === '' ? database : `${database}_${namespace}`;
};
