import { readCurrentPage, type FoundPage } from '../../../search/current-page.js';
import { canFind, meetsAll } from '../../../search/facet-query.js';
import type { Collection, DocumentPage, DocumentQuery, StoredDocument, Where } from '../../../eventsourcing/ports/documents.port.js';
import { sqlOf } from '../documents/declared-sql.js';
import type { DocumentTables } from '../documents/document-tables.js';
import { countSqlOf, pageNameOf, pageSqlOf } from '../documents/query-sql.js';
import type { SearchedTable } from './search-messages.js';
import { searchedBy, type SearchThread } from './search-thread.js';

/** Pages that begin after so many documents are read by the thread, because SQLite reads and drops all documents before them. */
const FAR = 200;

/** The sort of lists. Their first pages show the same documents after each write, so these are kept in the cache. */
const NEWEST_FIRST = '-createdAt';

/** The thread is told of each commit before any question that must see it, so a question waits for no position. */
const NOW = 0;

/** Finds pages and counts in the thread of searches. Short reads, of a few documents by an index, stay on the main thread. */
export class DocumentSearch {
  constructor(
    private readonly tables: DocumentTables,
    private readonly thread: SearchThread,
  ) {}

  async find(collection: Collection, find: DocumentQuery, requested: Collection): Promise<readonly StoredDocument[]> {
    return (await this.indexedPage(collection, find, requested))?.found ?? this.tables.find(collection, find, requested);
  }

  /** Reads a page and its total by the index. Null if there is none, or it is unusable. */
  async page(collection: Collection, find: DocumentQuery): Promise<DocumentPage | null> {
    if (!searchedFor(collection, find)) return null;
    return this.cached(collection, find.where, `${pageNameOf(find)} of all`, async () => {
      const page = await this.indexedPage(collection, find, collection);
      return page && { texts: page.found.map(({ json }) => json), total: page.total };
    });
  }

  async texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    if (find.offset < FAR) return this.tables.texts(collection, find);
    return this.cached(collection, find.where, pageNameOf(find), async () => {
      const { sql, values } = pageSqlOf(collection, find);
      return this.tables.checked(collection, await this.thread.rows(sql, values)).map((row) => row['json'] as string);
    });
  }

  count(collection: Collection, where: Where): Promise<number> {
    return this.cached(collection, where, 'count', async () => {
      const { sql, values } = countSqlOf(collection, where);
      return Number((await this.thread.rows(sql, values))[0]?.['total']);
    });
  }

  private async indexedPage(collection: Collection, find: DocumentQuery, requested: Collection): Promise<FoundPage<StoredDocument> | null> {
    const searched = searchedFor(collection, find);
    if (!searched) return null;
    const isReadOften = find.sort.join() === NEWEST_FIRST && find.offset < FAR;
    return readCurrentPage(
      () => this.thread.searches.page(searched, find, NOW),
      (keys) =>
        keys.flatMap((key) => {
          const document = this.tables[isReadOften ? 'get' : 'peek'](collection, key, requested);
          return document && meetsAll(document.fields, find.where) ? [document] : [];
        }),
    );
  }

  private async cached<Result>(collection: Collection, where: Where, name: string, compute: () => Promise<Result>): Promise<Result> {
    const entry = this.tables.queryCache.entry<Result>(sqlOf(collection).table, where, name);
    if (entry.cached) return entry.cached.result;
    const result = await compute();
    if (result !== null) entry.add(result);
    return result;
  }
}

/** Returns what the thread searches for a query, or null if its index cannot answer it. */
const searchedFor = (collection: Collection, find: DocumentQuery): SearchedTable | null => {
  const searched = searchedBy(collection);
  return searched && canFind(searched.facets, find) ? searched : null;
};
