import type { Db, IndexDescription } from 'mongodb';
import { checkpointOf, type Collection } from '../../../../eventsourcing/ports/documents.port.js';
import { hasServerCode } from '../../connection/failures.js';
import { cellIndexesOf, indexesOf, collectionNamesOf } from '../declaration.js';

/** Error codes of the server. A namespace is the full name of a collection. */
const NAMESPACE_EXISTS = 48;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/**
 * Returns an error handler that ignores errors with this code, and rethrows all others. The code means that another
 * process has already made the same change.
 */
const ignoreCode =
  (code: number) =>
  (error: unknown): void => {
    if (!hasServerCode(error, code)) throw error;
  };

/** Creates the MongoDB collections of a version with the declared indexes, and drops other indexes. */
export const createCollections = async (database: Db, collection: Collection, generation: number): Promise<void> => {
  const { documents, cells } = collectionNamesOf(collection, generation);
  await createCollection(database, documents, indexesOf(collection));
  await createCollection(database, cells, cellIndexesOf(collection));
};

const createCollection = async (database: Db, name: string, indexes: readonly IndexDescription[]): Promise<void> => {
  await database.createCollection(name).catch(ignoreCode(NAMESPACE_EXISTS));
  const mongoCollection = database.collection(name);
  const declared = new Set(['_id_', ...indexes.map((index) => index.name)]);
  for (const { name: found } of await mongoCollection.listIndexes().toArray())
    if (!declared.has(String(found))) await mongoCollection.dropIndex(String(found)).catch(ignoreCode(INDEX_NOT_FOUND));
  if (indexes.length > 0) await mongoCollection.createIndexes([...indexes]);
};

/** Drops the MongoDB collections of a version: of the generations for which `isDropped` is true, by default of all. */
export const dropCollections = async (
  database: Db,
  collection: Pick<Collection, 'name' | 'version'>,
  isDropped: (generation: number) => boolean | Promise<boolean> = () => true,
): Promise<void> => {
  const ofVersion = new RegExp(`^${checkpointOf(collection)}_([0-9]+)(_cells)?$`);
  for (const { name } of await database.listCollections({ name: ofVersion }, { nameOnly: true }).toArray()) {
    const generation = Number(ofVersion.exec(name)?.[1]);
    if (await isDropped(generation)) await database.dropCollection(name).catch(ignoreCode(NAMESPACE_NOT_FOUND));
  }
};
