import type { MongoClient } from 'mongodb';

/** The numbers of connections to all members of the replica set. */
export type PoolState = {
  readonly open: number;
  readonly inUse: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
};

/** Counts the connections of a client by its events. Returns a function that returns the current numbers. */
export const watchPool = (client: MongoClient): (() => PoolState) => {
  const counts = { open: 0, inUse: 0, waiting: 0 };
  client.on('connectionCreated', () => counts.open++);
  client.on('connectionClosed', () => counts.open--);
  client.on('connectionCheckOutStarted', () => counts.waiting++);
  client.on('connectionCheckOutFailed', () => counts.waiting--);
  client.on('connectionCheckedOut', () => {
    counts.waiting--;
    counts.inUse++;
  });
  client.on('connectionCheckedIn', () => counts.inUse--);
  return () => ({ ...counts });
};
