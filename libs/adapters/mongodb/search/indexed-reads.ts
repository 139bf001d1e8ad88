import type { Collection as MongoCollection } from 'mongodb';
import type { Collection, DocumentQuery, Where } from '../../../eventsourcing/ports/documents.port.js';
import { conditionsOf, meetsAll, sortOf } from '../../../search/facet-query.js';
import type { DocumentRecord } from '../documents/declaration.js';
import { hasExactIndex } from '../documents/queries/index-choice.js';
import type { VersionDocument } from '../documents/versions/reader-records.js';
import type { IndexedDocuments } from './search-messages.js';
import type { SearchThread } from './search-thread.js';

/** How often a page is searched again, because documents changed between the search and the read. */
const MAX_ATTEMPTS = 3;

/** The documents of a version of a collection. */
export type VersionOfDocuments = {
  readonly collection: Collection;
  readonly version: VersionDocument;
  readonly documents: MongoCollection<DocumentRecord>;
};

/** Reads by the index in memory. The results are null if MongoDB must be searched instead. */
export class IndexedReads {
  constructor(private readonly thread: Pick<SearchThread, 'count' | 'keys'>) {}

  /** Counts the documents, as they are at `position`. */
  async count(read: VersionOfDocuments, where: Where, position: number): Promise<number | null> {
    const searched = searchedBy(read);
    return searched && position > 0 && conditionsOf(searched.facets, where) ? this.thread.count(searched, where, position) : null;
  }

  /**
   * Reads a page. `positionNow` reads the checkpoint of the documents. A document may have changed since the search, so that it is
   * gone or no longer meets the conditions. The page is then searched again, and at last shown without such documents.
   */
  async page(read: VersionOfDocuments, find: DocumentQuery, positionNow: () => Promise<number>): Promise<readonly DocumentRecord[] | null> {
    const searched = searchedBy(read);
    if (!searched || !conditionsOf(searched.facets, find.where) || !sortOf(searched.facets, find.sort)) return null;
    if (hasExactIndex(read.collection, find)) return null;
    for (let attempt = 1; ; attempt++) {
      const position = await positionNow();
      const keys = position > 0 ? await this.thread.keys(searched, find, position) : null;
      if (!keys) return null;
      const found = await readAll(read.documents, keys);
      const shown = found.filter(({ f }) => meetsAll(f, find.where));
      if (shown.length === keys.length || attempt === MAX_ATTEMPTS) return shown;
    }
  }
}

/** Returns what the thread searches, or null for a collection without facets, and for an older version of it. */
const searchedBy = ({ collection, version, documents }: VersionOfDocuments): IndexedDocuments | null => {
  const { _id, generation, declared } = version;
  if (!collection.facets || declared.version !== collection.version) return null;
  return { documents: documents.collectionName, version: _id, generation, facets: collection.facets };
};

/** Returns the documents with these keys, in the order of the keys. */
const readAll = async (documents: MongoCollection<DocumentRecord>, keys: readonly string[]): Promise<readonly DocumentRecord[]> => {
  const found = keys.length > 0 ? await documents.find({ _id: { $in: [...keys] } }, { hint: '_id_' }).toArray() : [];
  const byKey = new Map(found.map((document) => [document._id, document]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
};
