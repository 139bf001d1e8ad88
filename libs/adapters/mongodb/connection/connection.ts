import { MongoClient, type MongoClientOptions } from 'mongodb';

/** How long a server may be silent: a dead one is noticed in seconds, and the longest single request takes well under one. */
const SILENT_MILLISECONDS = 10_000;
const FOUND_WITHIN_MILLISECONDS = 2_000;

/** "majority, journaled": these stand whatever the URL says, since less would lose what was acknowledged. */
const OPTIONS: MongoClientOptions = {
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  serverSelectionTimeoutMS: FOUND_WITHIN_MILLISECONDS,
  connectTimeoutMS: FOUND_WITHIN_MILLISECONDS,
  waitQueueTimeoutMS: FOUND_WITHIN_MILLISECONDS,
  socketTimeoutMS: SILENT_MILLISECONDS,
  // A server that came back is found again within this.
  heartbeatFrequencyMS: 1_000,
};

/** A client of a replica set. Nothing is connected yet. */
export const clientOf = (url: string, appName: string): MongoClient => new MongoClient(url, { ...OPTIONS, appName });

const UNLESS_NAMED = 'petstore';

/** The database that an address names after its hosts; `petstore` where it names none. */
export const databaseIn = (url: string): string => {
  const [, name] = /^[^:]+:\/\/[^/?]+\/([^?]*)/.exec(url) ?? [];
  return name ? decodeURIComponent(name) : UNLESS_NAMED;
};
