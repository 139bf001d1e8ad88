import type { StoredDocument } from '../../../eventsourcing/documents.port.js';
import type { Database } from '../folder/database.js';

/** Characters of JSON kept: some ten thousand pets. */
const BUDGET = 16_000_000;
/** What a document weighs beside its JSON. */
const OVERHEAD = 500;

const weightOf = ({ json }: StoredDocument): number => json.length + OVERHEAD;

/**
 * Documents read not long ago. A write makes its document forgotten before the write is done; when a transaction is
 * undone everything is, since documents may have been read within it.
 */
export class RecentDocuments {
  private readonly documents = new Map<string, StoredDocument>();
  private weight = 0;
  private undone = 0;

  constructor(private readonly database: Database) {}

  get(table: string, key: string): StoredDocument | undefined {
    if (this.undone !== this.database.undone) this.forgetAll();
    return this.documents.get(table + key);
  }

  keep(table: string, document: StoredDocument): void {
    this.documents.set(table + document.key, document);
    this.weight += weightOf(document);
    // The oldest goes first: simpler than the least used, and as good where what is read is read again soon.
    for (const place of this.documents.keys()) {
      if (this.weight <= BUDGET) return;
      this.drop(place);
    }
  }

  forget(table: string, key: string): void {
    this.drop(table + key);
  }

  forgetAll(): void {
    this.undone = this.database.undone;
    this.documents.clear();
    this.weight = 0;
  }

  private drop(place: string): void {
    const document = this.documents.get(place);
    if (!document) return;
    this.documents.delete(place);
    this.weight -= weightOf(document);
  }
}
