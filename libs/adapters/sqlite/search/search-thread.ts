import type { SQLInputValue } from 'node:sqlite';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { Searches, YOUNG_MEGABYTES } from '../../../search/searches.js';
import type { SearchAnswer } from '../../../search/search-program.js';
import { AnsweringThread } from '../../../threads/answering-thread.js';
import { moduleBeside } from '../../../threads/start-thread.js';
import { sqlOf, tableNameOf } from '../documents/declared-sql.js';
import type { Row } from '../documents/row-checksum.js';
import { existingFile } from '../folder/database.js';
import type { FolderQuestion, SearchedTable, SearchNotice, SearchThreadData } from './search-messages.js';

/** The thread only reads, and never waits for a lock. */
const PRAGMAS = 'PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096';

/** Returns what the thread searches of a collection, or null for a collection without facets. */
export const searchedBy = (collection: Collection): SearchedTable | null => {
  const { facets } = collection;
  if (!facets) return null;
  const { columns, fieldNames } = sqlOf(collection);
  return { name: tableNameOf(collection), facets, fieldNames, columns };
};

/**
 * Answers searches and counts in a thread with its own connection, so that an expensive one does not hold up other requests. The
 * thread makes the index of a collection when it is first searched, and reads changed documents again.
 */
export class SearchThread {
  readonly searches: Searches<SearchedTable>;
  private readonly thread: AnsweringThread<FolderQuestion, SearchNotice>;

  /** `path` is the path of the store's file. */
  constructor(
    path: string,
    log: Log,
    private readonly clock: Clock,
  ) {
    this.thread = new AnsweringThread({
      program: moduleBeside(import.meta.url, './search-thread-program'),
      dataOf: (): SearchThreadData => ({ file: existingFile(path), pragmas: PRAGMAS }),
      youngMegabytes: YOUNG_MEGABYTES,
      toError: (reason) => new StoreUnavailable(`a search failed: ${reason}`),
    });
    this.searches = new Searches(
      async (search) => (await this.thread.ask({ kind: 'search', search })) as SearchAnswer,
      (table, reason) =>
        log.warn({ table, reason }, 'searches are slow, because their index could not be made; a rebuild of the projections repairs it'),
    );
  }

  /** Returns the rows of a SELECT. */
  async rows(sql: string, values: readonly SQLInputValue[]): Promise<readonly Row[]> {
    return (await this.thread.ask({ kind: 'rows', sql, values })) as readonly Row[];
  }

  /** Call this after a commit that changed documents, before any search that must see them. */
  onChanged(table: string, keys: readonly string[]): void {
    this.thread.notify({ kind: 'changed', table, keys });
  }

  /** Call this after a commit that replaced or dropped all documents of a table. */
  onReplaced(table: string): void {
    this.thread.notify({ kind: 'replaced', table });
  }

  /** Call this after a commit that created an empty table. Its index then grows with it, so no search has to wait for it. */
  onCreated(of: SearchedTable): void {
    this.thread.notify({ kind: 'created', of });
  }

  /** Call this after a commit that gave a table another name. */
  onRenamed(from: string, to: string): void {
    this.thread.notify({ kind: 'renamed', from, to });
  }

  close(): Promise<void> {
    return this.thread.close(this.clock);
  }
}
