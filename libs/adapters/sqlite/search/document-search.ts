import { readCurrentPage } from '../../../search/current-page.js';
import { canFind, conditionsOf, meetsAll } from '../../../search/facet-query.js';
import type { Collection, DocumentQuery, StoredDocument, Where } from '../../../eventsourcing/ports/documents.port.js';
import { sqlOf } from '../documents/declared-sql.js';
import type { DocumentTables } from '../documents/document-tables.js';
import { countSqlOf, pageNameOf, pageSqlOf } from '../documents/query-sql.js';
import { isIndexed, type IndexedCollection, type SearchThread } from './search-thread.js';

/** Pages that begin after so many documents are read by the thread, because SQLite reads and drops all documents before them. */
const FAR = 200;

/** Finds pages and counts in the thread of searches. Short reads, of a few documents by an index, stay on the main thread. */
export class DocumentSearch {
  constructor(
    private readonly tables: DocumentTables,
    private readonly thread: SearchThread,
  ) {}

  async find(collection: Collection, find: DocumentQuery, requested: Collection): Promise<readonly StoredDocument[]> {
    const page = hasIndexedPage(collection, find) ? await this.indexedPage(collection, find, requested) : null;
    return page ?? this.tables.find(collection, find, requested);
  }

  async texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    const isIndexedPage = hasIndexedPage(collection, find);
    if (!isIndexedPage && find.offset < FAR) return this.tables.texts(collection, find);
    return this.cached(collection, find.where, pageNameOf(find), async () => {
      const page = isIndexedPage ? await this.indexedPage(collection, find, collection) : null;
      if (page) return page.map(({ json }) => json);
      const { sql, values } = pageSqlOf(collection, find);
      return this.tables.checked(collection, await this.thread.rows(sql, values)).map((row) => row['json'] as string);
    });
  }

  async count(collection: Collection, where: Where): Promise<number> {
    return this.cached(collection, where, 'count', async () => {
      const indexed = hasIndexedCount(collection, where) ? await this.thread.count(collection, where) : null;
      if (indexed !== null) return indexed;
      const { sql, values } = countSqlOf(collection, where);
      return Number((await this.thread.rows(sql, values))[0]?.['total']);
    });
  }

  /** Returns whether a sum that is not grouped is a count that the index answers. */
  isCount(collection: Collection, where: Where, by: string | undefined): boolean {
    return by === undefined && hasIndexedCount(collection, where);
  }

  /** Reads a page by the index. Null if the index is unusable. */
  private indexedPage(
    collection: IndexedCollection,
    find: DocumentQuery,
    requested: Collection,
  ): Promise<readonly StoredDocument[] | null> {
    return readCurrentPage(
      () => this.thread.keys(collection, find),
      (keys) =>
        keys.flatMap((key) => {
          const document = this.tables.get(collection, key, requested);
          return document && meetsAll(document.fields, find.where) ? [document] : [];
        }),
    );
  }

  private async cached<Result>(collection: Collection, where: Where, name: string, compute: () => Promise<Result>): Promise<Result> {
    const entry = this.tables.queryCache.entry<Result>(sqlOf(collection).table, where, name);
    if (entry.cached) return entry.cached.result;
    const result = await compute();
    entry.add(result);
    return result;
  }
}

const hasIndexedCount = (collection: Collection, where: Where): collection is IndexedCollection =>
  isIndexed(collection) && conditionsOf(collection.facets, where) !== null;

const hasIndexedPage = (collection: Collection, find: DocumentQuery): collection is IndexedCollection =>
  isIndexed(collection) && canFind(collection.facets, find);
