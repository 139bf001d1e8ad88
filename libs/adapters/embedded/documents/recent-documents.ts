import type { StoredDocument } from '../../../eventsourcing/documents.port.js';
import type { Database } from '../folder/database.js';

/** About 20 MB of pets. */
const CAPACITY = 10_000;

/**
 * Documents read not long ago. A write makes its document forgotten before the write is done; when a transaction is
 * undone everything is, since documents may have been read within it.
 */
export class RecentDocuments {
  private readonly documents = new Map<string, StoredDocument>();
  private undone = 0;

  constructor(private readonly database: Database) {}

  get(table: string, key: string): StoredDocument | undefined {
    if (this.undone !== this.database.undone) this.forgetAll();
    return this.documents.get(table + key);
  }

  keep(table: string, document: StoredDocument): void {
    // The oldest goes first: simpler than the least used, and as good where what is read is read again soon.
    if (this.documents.size >= CAPACITY) this.documents.delete(this.documents.keys().next().value as string);
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
