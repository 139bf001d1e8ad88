import { afterAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openMongo, type Mongo, type MongoOptions } from '../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { MongoClient } from 'mongodb';

/** A database that nobody else uses, and how to be rid of it. */
export type MongoUnderTest = Mongo & { readonly database: string; readonly drop: () => Promise<void> };

const opened = new Set<Pick<Mongo, 'close'>>();

/** A test that failed half-way leaves connections behind, which would keep the whole run from ending. */
afterAll(async () => {
  for (const connection of opened) await connection.close();
});

/** A plain client, to look at what the adapter has done; closed when the file's tests are over. */
export const clientForTest = (url: string): MongoClient => {
  const client = new MongoClient(url);
  opened.add(client);
  return client;
};

/** Opens a new database on a real server; `drop` removes it and closes the connection. */
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
