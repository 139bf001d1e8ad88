import type { Collection as MongoCollection } from 'mongodb';
import type { Collection, DocumentQuery, Where } from '../../../eventsourcing/ports/documents.port.js';
import { readCurrentPage } from '../../../search/current-page.js';
import { canFind, conditionsOf } from '../../../search/facet-query.js';
import type { DocumentRecord } from '../documents/declaration.js';
import { readKeys, type ResultShape } from '../documents/queries/find.js';
import { hasExactIndex } from '../documents/queries/index-choice.js';
import type { VersionDocument } from '../documents/versions/reader-records.js';
import type { IndexedDocuments } from './search-messages.js';
import type { SearchThread } from './search-thread.js';

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

  /** Reads a page. `positionNow` reads the checkpoint of the documents. */
  async page(
    read: VersionOfDocuments,
    find: DocumentQuery,
    shape: ResultShape,
    positionNow: () => Promise<number>,
  ): Promise<readonly DocumentRecord[] | null> {
    const searched = searchedBy(read);
    if (!searched || !canFind(searched.facets, find) || hasExactIndex(read.collection, find)) return null;
    return readCurrentPage(
      async () => {
        const position = await positionNow();
        return position > 0 ? this.thread.keys(searched, find, position) : null;
      },
      (keys) => readKeys(read, keys, find.where, shape),
    );
  }
}

/** Returns what the thread searches, or null for a collection without facets, and for an older version of it. */
const searchedBy = ({ collection, version, documents }: VersionOfDocuments): IndexedDocuments | null => {
  const { _id, generation, declared } = version;
  if (!collection.facets || declared.version !== collection.version) return null;
  return { documents: documents.collectionName, version: _id, generation, facets: collection.facets };
};
