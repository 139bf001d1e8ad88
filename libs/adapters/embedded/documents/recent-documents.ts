import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { StoredDocument } from '../../../eventsourcing/documents.port.js';
import type { Database } from '../folder/database.js';

/** A small part of the memory that the process may use, in characters of JSON: some 80,000 pets of the 4 GiB it has by default. */
const BUDGET = Math.floor(getHeapStatistics().heap_size_limit / 32);
/** What a document weighs beside its JSON. */
const OVERHEAD = 500;

/**
 * Documents read not long ago; the least recently used give way. A write makes its document forgotten before the write
 * is done; when a transaction is undone everything is, since documents may have been read within it.
 */
export class RecentDocuments {
  private readonly documents: LRUCache<string, StoredDocument>;
  private undone = 0;

  /** Keeps documents up to a weight of `budget`, in characters. */
  constructor(
    private readonly database: Database,
    budget = BUDGET,
  ) {
    this.documents = new LRUCache({ maxSize: budget, sizeCalculation: ({ json }) => json.length + OVERHEAD });
  }

  get(table: string, key: string): StoredDocument | undefined {
    if (this.undone !== this.database.undone) this.forgetAll();
    return this.documents.get(table + key);
  }

  keep(table: string, document: StoredDocument): void {
    this.documents.set(table + document.key, document);
  }

  forget(table: string, key: string): void {
    this.documents.delete(table + key);
  }

  forgetAll(): void {
    this.undone = this.database.undone;
    this.documents.clear();
  }
}
