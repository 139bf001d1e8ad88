import { readCurrentPage, type FoundPage } from '../../../search/current-page.js';
import { canFind, conditionsOf, meetsAll } from '../../../search/facet-query.js';
import type {
  Collection,
  DocumentPage,
  DocumentQuery,
  StoredDocument,
  TotalBy,
  Where,
} from '../../../eventsourcing/ports/documents.port.js';
import { sqlOf } from '../documents/declared-sql.js';
import type { DocumentTables } from '../documents/document-tables.js';
import { countSqlOf, pageNameOf, pageSqlOf } from '../documents/query-sql.js';
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

  async page(collection: Collection, find: DocumentQuery, totalBy: TotalBy): Promise<DocumentPage> {
    if (!hasIndexedPage(collection, find)) return this.searchedPage(collection, find, totalBy);
    return this.cached(collection, find.where, `${pageNameOf(find)} of all`, async () => {
      const page = await this.indexedPage(collection, find, collection);
      return page ? { texts: page.found.map(({ json }) => json), total: page.total } : this.searchedPage(collection, find, totalBy);
    });
  }

  async texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    const page = await this.indexedPage(collection, find, collection);
    return page ? page.found.map(({ json }) => json) : this.textsIn(collection, find);
  }

  async count(collection: Collection, where: Where): Promise<number> {
    return this.cached(collection, where, 'count', async () => {
      const searched = searchedBy(collection);
      const indexed = searched && conditionsOf(searched.facets, where) ? await this.thread.searches.count(searched, where, NOW) : null;
      if (indexed !== null) return indexed;
      const { sql, values } = countSqlOf(collection, where);
      return Number((await this.thread.rows(sql, values))[0]?.['total']);
    });
  }

  /** Returns whether a sum that is not grouped is a count that the index answers. */
  isCount({ facets }: Collection, where: Where, by: string | undefined): boolean {
    return by === undefined && facets !== undefined && conditionsOf(facets, where) !== null;
  }

  /** Reads a page by the index. Null if there is none, or it is unusable. */
  private async indexedPage(collection: Collection, find: DocumentQuery, requested: Collection): Promise<FoundPage<StoredDocument> | null> {
    const searched = searchedBy(collection);
    if (!searched || !canFind(searched.facets, find)) return null;
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

  /** Reads a page without the index. */
  private async searchedPage(collection: Collection, find: DocumentQuery, totalBy: TotalBy): Promise<DocumentPage> {
    const total = totalBy === 'sum' ? (this.tables.sum(collection, find.where)[''] ?? 0) : await this.count(collection, find.where);
    return { texts: find.offset < total ? await this.textsIn(collection, find) : [], total };
  }

  /** Reads texts without the index. */
  private async textsIn(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    if (find.offset < FAR) return this.tables.texts(collection, find);
    return this.cached(collection, find.where, pageNameOf(find), async () => {
      const { sql, values } = pageSqlOf(collection, find);
      return this.tables.checked(collection, await this.thread.rows(sql, values)).map((row) => row['json'] as string);
    });
  }

  private async cached<Result>(collection: Collection, where: Where, name: string, compute: () => Promise<Result>): Promise<Result> {
    const entry = this.tables.queryCache.entry<Result>(sqlOf(collection).table, where, name);
    if (entry.cached) return entry.cached.result;
    const result = await compute();
    entry.add(result);
    return result;
  }
}

const hasIndexedPage = ({ facets }: Collection, find: DocumentQuery): boolean => facets !== undefined && canFind(facets, find);
