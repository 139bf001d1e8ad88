import type { Collection, Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';

/** Maximum number of documents cached between batches. */
const MAX_DOCUMENTS = 20_000;
/** Maximum characters of the cached documents. */
const MAX_CHARACTERS = 64_000_000;
/** Number of documents read at the same time. */
const CONCURRENT_READS = 200;
/** Maximum characters of the documents of one batch. All of them are written in one transaction, which has a size limit. */
const MAX_TRANSACTION_CHARACTERS = 8_000_000;

/**
 * Caches documents of one collection. The cache stays current, because its process owns the lease of the collection: no other
 * process writes these documents.
 */
export class CachedDocuments {
  private readonly cache = new Map<string, StoredDocument | null>();
  private characters = 0;

  constructor(
    private readonly documents: Pick<Documents, 'get'>,
    private readonly collection: Collection,
  ) {}

  /** Returns a document that was loaded before. Null if the document does not exist. */
  get(key: string): StoredDocument | null {
    return this.cache.get(key) ?? null;
  }

  /** Loads documents into the cache. Stops and returns false if the documents are together too large for one transaction. */
  async load(keys: readonly string[]): Promise<boolean> {
    const wanted = [...new Set(keys)];
    this.evictFor(wanted);
    let characters = 0;
    for (let from = 0; from < wanted.length; from += CONCURRENT_READS) {
      const some = wanted.slice(from, from + CONCURRENT_READS);
      const missing = some.filter((key) => !this.cache.has(key));
      await Promise.all(missing.map(async (key) => this.add(key, await this.documents.get(this.collection, key))));
      for (const key of some) characters += sizeOf(this.cache.get(key));
      if (characters > MAX_TRANSACTION_CHARACTERS) return false;
    }
    return true;
  }

  /** Applies writes to the cache after they were stored. */
  update(writes: readonly DocumentWrite[]): void {
    for (const write of writes) {
      if (write.kind === 'put') this.add(write.document.key, write.document);
      else if (write.kind === 'delete') this.add(write.key, null);
    }
  }

  /** Makes room for the wanted documents. If the cache is too full, evicts all documents that are not wanted. */
  private evictFor(wanted: readonly string[]): void {
    const missing = wanted.filter((key) => !this.cache.has(key)).length;
    if (this.cache.size + missing <= MAX_DOCUMENTS && this.characters <= MAX_CHARACTERS) return;
    const needed = new Set(wanted);
    for (const [key, document] of this.cache) {
      if (needed.has(key)) continue;
      this.cache.delete(key);
      this.characters -= sizeOf(document);
    }
  }

  private add(key: string, document: StoredDocument | null): void {
    this.characters += sizeOf(document) - sizeOf(this.cache.get(key));
    this.cache.set(key, document);
  }
}

const sizeOf = (document: StoredDocument | null | undefined): number => document?.json.length ?? 0;
