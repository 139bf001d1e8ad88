import { LRUCache } from 'lru-cache';
import type { Collection as MongoCollection } from 'mongodb';
import type { Collection, DocumentQuery } from '../../../eventsourcing/ports/documents.port.js';
import { readCurrentPage, type FoundPage } from '../../../search/current-page.js';
import { canFind, meetsAll } from '../../../search/facet-query.js';
import type { Searches } from '../../../search/searches.js';
import type { DocumentRecord } from '../documents/declaration.js';
import { readKeys } from '../documents/queries/find.js';
import type { VersionDocument } from '../documents/versions/reader-records.js';
import { CachedDocuments } from './cached-documents.js';
import type { SearchedDocuments, ToldChanges } from './search-messages.js';

/** Maximum number of cached pages of a collection. The least recently used is evicted. */
const MAX_PAGES = 500;

/** The documents of a version of a collection. */
export type VersionOfDocuments = {
  readonly collection: Collection;
  readonly version: VersionDocument;
  readonly documents: MongoCollection<DocumentRecord>;
};

/** A page of the documents that contain all events up to `position`. Null: there is no index. */
type CachedPage = { readonly position: number; readonly page: Promise<FoundPage<DocumentRecord> | null> };

/** Reads by the index in memory. The results are null if MongoDB must be searched instead. */
export class IndexedReads {
  private readonly documents = new CachedDocuments();
  /** The pages of each collection, by query. */
  private readonly pages = new Map<string, LRUCache<string, CachedPage>>();

  constructor(private readonly searches: Pick<Searches<SearchedDocuments>, 'page'>) {}

  /**
   * Reads a page and its total, as they are at `position` or later. Both come from one state of the index. Documents that have changed
   * since are shown as they are now.
   */
  async page(read: VersionOfDocuments, find: DocumentQuery, position: number): Promise<FoundPage<DocumentRecord> | null> {
    const searched = searchedBy(read);
    if (!searched || position === 0 || !canFind(searched.facets, find)) return null;
    const pages = this.pagesOf(searched.name);
    const query = JSON.stringify(find);
    const cached = pages.get(query);
    if (cached && cached.position >= position) return cached.page;
    const page = this.search(searched, read, find, position);
    const entry = { position, page };
    pages.set(query, entry);
    const forget = (): void => {
      if (pages.peek(query) === entry) pages.delete(query);
    };
    page.then((found) => found ?? forget(), forget);
    return page;
  }

  /** Forgets what may have changed. */
  onChanges({ name, keys }: Pick<ToldChanges, 'name' | 'keys'>): void {
    this.documents.forget(name, keys);
    if (!keys || keys.length > 0) this.pages.delete(name);
  }

  private search(
    searched: SearchedDocuments,
    read: VersionOfDocuments,
    find: DocumentQuery,
    position: number,
  ): Promise<FoundPage<DocumentRecord> | null> {
    return readCurrentPage(
      () => this.searches.page(searched, find, position),
      async (keys) => {
        const found = await this.documents.read(searched.name, keys, (missing) => readKeys(read, missing, find.where, 'whole'));
        return found.filter(({ f }) => meetsAll(f, find.where));
      },
    );
  }

  private pagesOf(name: string): LRUCache<string, CachedPage> {
    let pages = this.pages.get(name);
    if (!pages) this.pages.set(name, (pages = new LRUCache({ max: MAX_PAGES })));
    return pages;
  }
}

/** Returns what the thread searches, or null for a collection without facets, and for an older version of it. */
const searchedBy = ({ collection, version, documents }: VersionOfDocuments): SearchedDocuments | null => {
  const { _id, generation, declared } = version;
  if (!collection.facets || declared.version !== collection.version) return null;
  return { name: documents.collectionName, version: _id, generation, facets: collection.facets };
};
