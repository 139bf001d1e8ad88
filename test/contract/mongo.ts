import { afterAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openMongo, type Mongo } from '../../libs/adapters/mongodb/index.js';
import type { MongoOptions } from '../../libs/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { MongoClient } from 'mongodb';

/** An exclusive database, and a function that drops it. */
export type MongoUnderTest = Mongo & { readonly database: string; readonly drop: () => Promise<void> };

const opened = new Set<Pick<Mongo, 'close'>>();

/** Closes connections that failed tests left open: otherwise the test run would not end. */
afterAll(async () => {
  for (const connection of opened) await connection.close();
});

/** Creates a plain client to inspect the database. It is closed after the tests of the file. */
export const clientForTest = (url: string): MongoClient => {
  const client = new MongoClient(url);
  opened.add(client);
  return client;
};

/** Opens a new database on a real server. `drop` deletes it and closes the connection. */
export const mongoForTest = async (url: string, options: Partial<MongoOptions> = {}): Promise<MongoUnderTest> => {
  const database = options.database ?? `test-${randomUUID()}`;
  const mongo = await openMongo({ url, clock: systemClock, log: recordingLog(), ...options, database });
  opened.add(mongo);
  const drop = async (): Promise<void> => {
    await mongo.close();
    const client = new MongoClient(url);
    await client.db(database).dropDatabase();
    await client.close();
  };
  return { ...mongo, database, drop };
};
