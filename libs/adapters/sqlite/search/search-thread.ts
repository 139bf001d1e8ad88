import type { SQLInputValue } from 'node:sqlite';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Collection, DocumentQuery, Facets, Where } from '../../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { AnsweringThread } from '../../../threads/answering-thread.js';
import { moduleBeside } from '../../../threads/start-thread.js';
import { sqlOf, tableNameOf } from '../documents/declared-sql.js';
import type { Row } from '../documents/row-checksum.js';
import { existingFile } from '../folder/database.js';
import type { IndexAnswer, IndexDescription, IndexQuestion, SearchNotice, SearchQuestion, SearchThreadData } from './search-messages.js';

/** The thread only reads, and never waits for a lock. */
const PRAGMAS = 'PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384';

/** A collection with an index in memory. */
export type IndexedCollection = Collection & { readonly facets: Facets };

export const isIndexed = (collection: Collection): collection is IndexedCollection => collection.facets !== undefined;

/**
 * Answers searches and counts in a thread with its own connection, so that an expensive one does not hold up other requests. The
 * thread makes the index of a collection when it is first searched, and reads changed documents again.
 */
export class SearchThread {
  private readonly thread: AnsweringThread<SearchQuestion, SearchNotice>;
  /** The tables without a usable index, of which the log already has a line. */
  private readonly unusable = new Set<string>();

  /** `path` is the path of the store's file. */
  constructor(
    path: string,
    private readonly log: Log,
    private readonly clock: Clock,
  ) {
    this.thread = new AnsweringThread({
      program: moduleBeside(import.meta.url, './search-thread-program'),
      dataOf: (): SearchThreadData => ({ file: existingFile(path), pragmas: PRAGMAS }),
      toError: (reason) => new StoreUnavailable(`a search failed: ${reason}`),
    });
  }

  /** Counts the documents of a collection. Resolves with null if a damaged row makes the index unusable. */
  async count(collection: IndexedCollection, where: Where): Promise<number | null> {
    return (await this.ask({ kind: 'count', described: describe(collection), where })) as number | null;
  }

  /** Returns the keys of a page. Resolves with null if a damaged row makes the index unusable. */
  async keys(collection: IndexedCollection, query: DocumentQuery): Promise<readonly string[] | null> {
    return (await this.ask({ kind: 'keys', described: describe(collection), query })) as readonly string[] | null;
  }

  /** Returns the rows of a SELECT. */
  async rows(sql: string, values: readonly SQLInputValue[]): Promise<readonly Row[]> {
    return (await this.thread.ask({ kind: 'rows', sql, values })) as readonly Row[];
  }

  /** Call this after a commit that changed documents, before any search that must see them. */
  onChanged(collection: IndexedCollection, keys: readonly string[]): void {
    this.thread.notify({ kind: 'changed', described: describe(collection), keys });
  }

  /** Call this after a commit that replaced or dropped all documents of a table. */
  onReplaced(table: string): void {
    this.thread.notify({ kind: 'replaced', table });
  }

  /** Call this after a commit that created an empty table. Its index then grows with it, so no search has to wait for it. */
  onCreated(collection: IndexedCollection): void {
    this.thread.notify({ kind: 'created', described: describe(collection) });
  }

  /** Call this after a commit that gave a table another name. */
  onRenamed(from: string, to: string): void {
    this.thread.notify({ kind: 'renamed', from, to });
  }

  close(): Promise<void> {
    return this.thread.close(this.clock);
  }

  private async ask(question: IndexQuestion): Promise<number | readonly string[] | null> {
    const answer = (await this.thread.ask(question)) as IndexAnswer;
    if ('result' in answer) return answer.result;
    this.warn(question.described.table, answer.unusable);
    return null;
  }

  private warn(table: string, reason: string): void {
    if (this.unusable.has(table)) return;
    this.unusable.add(table);
    this.log.warn({ table, reason }, 'searches are slow, because their index could not be made; a rebuild of the projections repairs it');
  }
}

const describe = (collection: IndexedCollection): IndexDescription => {
  const { table, columns, fieldNames } = sqlOf(collection);
  return { table: tableNameOf(collection), facets: collection.facets, fieldNames, select: `SELECT ${columns} FROM ${table}` };
};
