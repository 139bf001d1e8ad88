import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { BSON, MongoClient, type Db, type Document } from 'mongodb';
import { databaseIn } from '../../libs/adapters/mongodb/connection/connection.js';
import { DEPLOY } from './deploy-files.js';

type Documents = ReadonlyMap<string, readonly Document[]>;

/** What a script reads: the documents of the database, and the standard input. */
type Given = { readonly stored: Documents; readonly input?: string };

/** What a script prints, and the documents that it inserts, in order. */
type Result = { readonly printed: readonly string[]; readonly inserted: readonly (readonly [collection: string, Document[]])[] };

/**
 * Runs a script of deploy/mongodb in this process, without mongosh. The script expects the synchronous database functions of
 * mongosh, but those of the Node driver are asynchronous. So it gets a stub that reads `stored` and collects the insertions.
 */
const runScript = (name: string, { stored, input = '' }: Given): Result => {
  const printed: string[] = [];
  const inserted: [string, Document[]][] = [];
  const getCollection = (collection: string) => {
    const documents = stored.get(collection) ?? [];
    let read = 0;
    return {
      countDocuments: () => documents.length,
      find: () => ({ hasNext: () => read < documents.length, next: () => documents[read++] }),
      insertMany: (batch: readonly Document[]) => void inserted.push([collection, [...batch]]),
    };
  };
  const Mongo = function () {
    return { getDB: () => ({ getCollection, getCollectionNames: () => [...stored.keys()] }) };
  };
  let rest = Buffer.from(input);
  const readSync = (_descriptor: number, target: Buffer): number => {
    const count = rest.copy(target);
    rest = rest.subarray(count);
    return count;
  };
  const process = { env: { PETSTORE_PASSWORD: 'secret' }, getBuiltinModule: () => ({ readSync }) };
  const print = (line: string): void => void printed.push(line);
  runInNewContext(readFileSync(join(DEPLOY, 'mongodb', name), 'utf8'), { Mongo, EJSON: BSON.EJSON, Buffer, print, process });
  return { printed, inserted };
};

const readDocuments = async (database: Db): Promise<Documents> => {
  const collections = await database.collections();
  return new Map(await Promise.all(collections.map(async (each) => [each.collectionName, await each.find().toArray()] as const)));
};

/**
 * Backs up a database with the script of deploy/mongodb, removes it, and restores it with the other script. The service must be
 * stopped. Returns what restore.js prints.
 */
export const backUpAndRestore = async (url: string): Promise<string> => {
  // Without promoteLongs, this client reads integers of 64 bits as Long, as mongosh does.
  const client = new MongoClient(url, { promoteLongs: false, writeConcern: { w: 'majority' } });
  try {
    const database = client.db(databaseIn(url, ''));
    const backup = runScript('backup.js', { stored: await readDocuments(database) });
    await database.dropDatabase();
    const input = backup.printed.map((line) => `${line}\n`).join('');
    const { inserted, printed } = runScript('restore.js', { stored: await readDocuments(database), input });
    for (const [collection, documents] of inserted) await database.collection(collection).insertMany(documents);
    return printed.join('\n');
  } finally {
    await client.close();
  }
};
