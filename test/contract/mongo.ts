import { afterAll } from '@jest/globals';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { databaseIn } from '../../libs/adapters/mongodb/connection/connection.js';
import { openMongo, type Mongo } from '../../libs/adapters/mongodb/index.js';
import type { MongoOptions } from '../../libs/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { MongoClient } from 'mongodb';
import { newNamespace } from '../servers/new-namespace.js';

/** MongoDB in a namespace of its own, and the name of its database. `drop` deletes the database and closes the connection. */
export type MongoUnderTest = Mongo & { readonly namespace: string; readonly database: string; readonly drop: () => Promise<void> };

const opened = new Set<Pick<Mongo, 'close'>>();

/** Closes the connections that failed tests left open. With an open connection, the test run would not end. */
afterAll(async () => {
  for (const connection of opened) await connection.close();
});

/** Creates a plain client to inspect the database. It is closed after the tests of the file. */
export const clientForTest = (url: string): MongoClient => {
  const client = new MongoClient(url);
  opened.add(client);
  return client;
};

/** Opens MongoDB on a real server, in a new namespace unless `options` names one. */
export const mongoForTest = async (url: string, options: Partial<MongoOptions> = {}): Promise<MongoUnderTest> => {
  const namespace = options.namespace ?? newNamespace();
  const database = databaseIn(url, namespace);
  const mongo = await openMongo({ url, clock: systemClock, log: recordingLog(), ...options, namespace });
  opened.add(mongo);
  const drop = async (): Promise<void> => {
    await mongo.close();
    const client = new MongoClient(url);
    await client.db(database).dropDatabase();
    await client.close();
  };
  return { ...mongo, namespace, database, drop };
};
