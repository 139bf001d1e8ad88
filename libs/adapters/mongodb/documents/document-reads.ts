import type { Collection as MongoCollection } from 'mongodb';
import { yieldToEventLoop } from '../../../eventsourcing/yield-to-event-loop.js';
import type { DocumentRecord } from './declaration.js';

/** Maximum number of keys per command. It keeps the response below MongoDB's limit of 16 MB. */
const MAX_KEYS = 32;

type DocumentCollection = Pick<MongoCollection<DocumentRecord>, 'collectionName' | 'findOne' | 'find'>;

/** The keys of one command, and its result. */
type Batch = { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, DocumentRecord>> };

/**
 * Uses one command for all documents that are requested in one turn of the event loop, because a command
 * takes about the same time for any number of keys. A later read gets a new command, so that it sees all
 * earlier writes.
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

  /** Runs `work` once for all requests of the same page in one turn of the event loop. */
  page<T>(name: string, work: () => Promise<T>): Promise<T> {
    const known = this.pages.get(name) as Promise<T> | undefined;
    if (known) return known;
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

/** Reads a single key with findOne, which is faster. */
const readAll = async (collection: DocumentCollection, keys: readonly string[]): Promise<ReadonlyMap<string, DocumentRecord>> => {
  const [first = ''] = keys;
  const found = keys.length === 1 ? [await collection.findOne({ _id: first })] : await collection.find({ _id: { $in: keys } }).toArray();
  return new Map(found.flatMap((document) => (document ? [[document._id, document] as const] : [])));
};
