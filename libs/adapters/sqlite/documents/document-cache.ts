import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';

/**
 * The default maximum weight of a table's cached documents: one character for every 64 bytes of the heap limit. With
 * Node's default heap of 4 GiB, about 60,000 pets fit.
 */
const BUDGET = Math.floor(getHeapStatistics().heap_size_limit / 64);
/** The weight of a document without its JSON, in characters. */
const OVERHEAD = 500;

/**
 * A cache of documents, which evicts the least recently used ones. A write removes its document from the cache. A rollback
 * clears the cache, because reads within the transaction may have cached uncommitted documents.
 */
export class DocumentCache {
  /** The documents by table, then by key, so that a lookup need not build a combined key. */
  private readonly tables = new Map<string, LRUCache<string, StoredDocument>>();
  private rollbacksSeen = 0;

  /** `budget` is the maximum weight per table, in characters. */
  constructor(
    private readonly database: Database,
    private readonly budget = BUDGET,
  ) {}

  get(table: string, key: string): StoredDocument | undefined {
    if (this.rollbacksSeen !== this.database.rollbacks) this.clear();
    return this.tables.get(table)?.get(key);
  }

  add(table: string, document: StoredDocument): void {
    let documents = this.tables.get(table);
    if (!documents) {
      documents = new LRUCache({ maxSize: this.budget, sizeCalculation: ({ json }) => json.length + OVERHEAD });
      this.tables.set(table, documents);
    }
    documents.set(document.key, document);
  }

  remove(table: string, key: string): void {
    this.tables.get(table)?.delete(key);
  }

  clear(): void {
    this.rollbacksSeen = this.database.rollbacks;
    this.tables.clear();
  }
}
