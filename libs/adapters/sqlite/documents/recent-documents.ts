import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';

/** A small part of the memory that the process may use, in characters of JSON: some 60,000 pets of the 4 GiB it has by default. */
const BUDGET = Math.floor(getHeapStatistics().heap_size_limit / 64);
/** What a document weighs beside its JSON. */
const OVERHEAD = 500;

/**
 * Documents read not long ago; the least recently used give way. A write makes its document forgotten before the write
 * is done; when a transaction is undone everything is, since documents may have been read within it.
 */
export class RecentDocuments {
  /** By table and key: a key made of both would have to be joined and hashed for each look. */
  private readonly tables = new Map<string, LRUCache<string, StoredDocument>>();
  private undone = 0;

  /** Keeps documents up to a weight of `budget` a table, in characters. */
  constructor(
    private readonly database: Database,
    private readonly budget = BUDGET,
  ) {}

  get(table: string, key: string): StoredDocument | undefined {
    if (this.undone !== this.database.undone) this.forgetAll();
    return this.tables.get(table)?.get(key);
  }

  keep(table: string, document: StoredDocument): void {
    let documents = this.tables.get(table);
    if (!documents) {
      documents = new LRUCache({ maxSize: this.budget, sizeCalculation: ({ json }) => json.length + OVERHEAD });
      this.tables.set(table, documents);
    }
    documents.set(document.key, document);
  }

  forget(table: string, key: string): void {
    this.tables.get(table)?.delete(key);
  }

  forgetAll(): void {
    this.undone = this.database.undone;
    this.tables.clear();
  }
}
