import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { ROOT } from '../servers/program.js';

/** Runs backup.js on a stub of the database. Returns the names of the collections that it reads, in order. */
export const collectionsOfBackup = (): readonly string[] => {
  const read: string[] = [];
  const cursor = { hasNext: () => false };
  const getCollection = (name: string) => ({ countDocuments: () => 1, find: () => (read.push(name), cursor) });
  const Mongo = function () {
    return { getDB: () => ({ getCollection }) };
  };
  runInNewContext(readFileSync(join(ROOT, 'deploy', 'mongodb', 'backup.js'), 'utf8'), {
    Mongo,
    EJSON: JSON,
    print: () => undefined,
    process: { env: { PETSTORE_PASSWORD: 'secret' } },
  });
  return read;
};
