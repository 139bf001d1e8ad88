import type { Collection as MongoCollection } from 'mongodb';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { DocumentRecord } from './declaration.js';

/** Maximum number of keys per command. It keeps the response below MongoDB's limit of 16 MB. */
const MAX_KEYS = 32;

type DocumentCollection = Pick<MongoCollection<DocumentRecord>, 'collectionName' | 'findOne' | 'find'>;

/** The keys of one command, and its result. */
type Batch = { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, DocumentRecord>> };

/**
 * Combines the reads of documents of a collection. Reads that are requested in the same turn of the event loop share one
 * command. A command takes about the same time for any number of keys. A read in a later turn uses another command, so that
 * the read sees all earlier writes.
 */
export class DocumentReads {
  private readonly batches = new Map<string, Batch>();
  private readonly pages = new Map<string, Promise<unknown>>();

  /** Returns the document with this key, or null. */
  async read(collection: DocumentCollection, key: string): Promise<DocumentRecord | null> {
    const name = collection.collectionName;
    let batch = this.batches.get(name);
    if (!batch || batch.keys.size >= MAX_KEYS) this.batches.set(name, (batch = this.open(collection)));
    batch.keys.add(key);
    return (await batch.found).get(key) ?? null;
  }

  /** Runs `work` once for all requests of the same page in the same turn of the event loop. `name` identifies the page. */
  page<T>(name: string, work: () => Promise<T>): Promise<T> {
    const pending = this.pages.get(name) as Promise<T> | undefined;
    if (pending) return pending;
    const page = yieldToEventLoop().then(() => {
      this.pages.delete(name);
      return work();
    });
    this.pages.set(name, page);
    return page;
  }

  private open(collection: DocumentCollection): Batch {
    const keys = new Set<string>();
    const found = yieldToEventLoop().then(() => {
      if (this.batches.get(collection.collectionName) === batch) this.batches.delete(collection.collectionName);
      return readAll(collection, [...keys]);
    });
    const batch = { keys, found };
    return batch;
  }
}

/** Returns the documents with these keys, by key. Reads a single key with findOne, which is faster than find. */
const readAll = async (collection: DocumentCollection, keys: readonly string[]): Promise<ReadonlyMap<string, DocumentRecord>> => {
  const [first = ''] = keys;
  const found = keys.length === 1 ? [await collection.findOne({ _id: first })] : await collection.find({ _id: { $in: keys } }).toArray();
  return new Map(found.flatMap((document) => (document ? [[document._id, document] as const] : [])));
};
