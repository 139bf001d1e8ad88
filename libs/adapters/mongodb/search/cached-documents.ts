import { LRUCache } from 'lru-cache';
import type { DocumentRecord } from '../documents/declaration.js';

/** The maximum weight of the cached documents of a collection, in characters: some 13,000 pets. */
const BUDGET = 16_000_000;
/** The weight of a document without its JSON, in characters. */
const OVERHEAD = 500;

type Cache = {
  readonly documents: LRUCache<string, DocumentRecord>;
  /** Who reads a document now. It is not cached if it changes meanwhile. */
  readonly reading: Map<string, object>;
};

/** Caches the documents that pages show, until they change. */
export class CachedDocuments {
  private readonly caches = new Map<string, Cache>();

  /** Returns the documents of these keys, in their order. `read` reads those that are not cached. */
  async read(
    name: string,
    keys: readonly string[],
    read: (missing: readonly string[]) => Promise<readonly DocumentRecord[]>,
  ): Promise<readonly DocumentRecord[]> {
    const { documents, reading } = this.cacheOf(name);
    const found = new Map<string, DocumentRecord>();
    const missing: string[] = [];
    for (const key of keys) {
      const cached = documents.get(key);
      if (cached) found.set(key, cached);
      else missing.push(key);
    }
    if (missing.length > 0) {
      const reader = {};
      for (const key of missing) reading.set(key, reader);
      try {
        for (const document of await read(missing)) {
          found.set(document._id, document);
          if (reading.get(document._id) === reader) documents.set(document._id, document);
        }
      } finally {
        for (const key of missing) if (reading.get(key) === reader) reading.delete(key);
      }
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  /** Forgets documents that have changed. Null: any may have changed. */
  forget(name: string, keys: readonly string[] | null): void {
    const cache = this.caches.get(name);
    if (!keys) this.caches.delete(name);
    else if (cache)
      for (const key of keys) {
        cache.documents.delete(key);
        cache.reading.delete(key);
      }
  }

  private cacheOf(name: string): Cache {
    let cache = this.caches.get(name);
    if (!cache) {
      const documents = new LRUCache<string, DocumentRecord>({
        maxSize: BUDGET,
        sizeCalculation: ({ json }) => json.length + OVERHEAD,
      });
      this.caches.set(name, (cache = { documents, reading: new Map() }));
    }
    return cache;
  }
}
