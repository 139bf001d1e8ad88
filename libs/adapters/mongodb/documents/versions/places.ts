import type { Db, IndexDescription } from 'mongodb';
import { checkpointOf, type Collection } from '../../../../eventsourcing/ports/documents.port.js';
import { isAnswer } from '../../connection/failures.js';
import { cellIndexesOf, indexesOf, placesOf } from '../declared.js';

const NAMESPACE_EXISTS = 48;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/** What another process has just done as well is done. */
const unless =
  (code: number) =>
  (error: unknown): void => {
    if (!isAnswer(error, code)) throw error;
  };

/** Makes room for a version's documents and cells: the declared indexes are made, others dropped. */
export const makePlaces = async (database: Db, collection: Collection, generation: number): Promise<void> => {
  const { documents, cells } = placesOf(collection, generation);
  await makePlace(database, documents, indexesOf(collection));
  await makePlace(database, cells, cellIndexesOf(collection));
};

const makePlace = async (database: Db, name: string, indexes: readonly IndexDescription[]): Promise<void> => {
  await database.createCollection(name).catch(unless(NAMESPACE_EXISTS));
  const place = database.collection(name);
  const wanted = new Set(['_id_', ...indexes.map((index) => index.name)]);
  for (const { name: found } of await place.listIndexes().toArray())
    if (!wanted.has(String(found))) await place.dropIndex(String(found)).catch(unless(INDEX_NOT_FOUND));
  if (indexes.length > 0) await place.createIndexes([...indexes]);
};

/** Drops what a version has in the generations before this one; all that it has when none is named. */
export const dropPlaces = async (database: Db, collection: Pick<Collection, 'name' | 'version'>, before = Infinity): Promise<void> => {
  const ofVersion = new RegExp(`^${checkpointOf(collection)}_([0-9]+)(_cells)?$`);
  for (const { name } of await database.listCollections({ name: ofVersion }, { nameOnly: true }).toArray()) {
    const generation = Number(ofVersion.exec(name)?.[1]);
    if (generation < before) await database.dropCollection(name).catch(unless(NAMESPACE_NOT_FOUND));
  }
};
