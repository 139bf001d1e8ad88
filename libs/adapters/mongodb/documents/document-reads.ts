import type { Collection as MongoCollection } from 'mongodb';
import { turn } from '../../../eventsourcing/turn.js';
import type { KeptDocument } from './declared.js';

/** Documents read by one command: its answer has room for 16 MB, and most pets have a few hundred bytes. */
const MOST_AT_ONCE = 32;

type Place = Pick<MongoCollection<KeptDocument>, 'collectionName' | 'findOne' | 'find'>;

/** Keys of one collection that are read together. */
type Batch = { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, KeptDocument>> };

/**
 * Reads that are asked for within one turn of the event loop share a command: a command costs this process and the database about the
 * same however many keys it names. None joins a command that is under way already, so that each sees all that was written before it.
 */
export class DocumentReads {
  private readonly batches = new Map<string, Batch>();
  private readonly pages = new Map<string, Promise<unknown>>();

  /** The document with that key, or null. */
  async read(place: Place, key: string): Promise<KeptDocument | null> {
    const name = place.collectionName;
    let batch = this.batches.get(name);
    if (!batch || batch.keys.size >= MOST_AT_ONCE) this.batches.set(name, (batch = this.open(place)));
    batch.keys.add(key);
    return (await batch.found).get(key) ?? null;
  }

  /** Does `work` once for all who ask for the page of that name in this turn. */
  page<T>(name: string, work: () => Promise<T>): Promise<T> {
    const known = this.pages.get(name) as Promise<T> | undefined;
    if (known) return known;
    const page = turn().then(() => {
      this.pages.delete(name);
      return work();
    });
    this.pages.set(name, page);
    return page;
  }

  private open(place: Place): Batch {
    const keys = new Set<string>();
    const found = turn().then(() => {
      if (this.batches.get(place.collectionName) === batch) this.batches.delete(place.collectionName);
      return readAll(place, [...keys]);
    });
    const batch = { keys, found };
    return batch;
  }
}

/** A single key is looked up by a path of its own in the database, which is quicker. */
const readAll = async (place: Place, keys: readonly string[]): Promise<ReadonlyMap<string, KeptDocument>> => {
  const [first = ''] = keys;
  const found = keys.length === 1 ? [await place.findOne({ _id: first })] : await place.find({ _id: { $in: keys } }).toArray();
  return new Map(found.flatMap((document) => (document ? [[document._id, document] as const] : [])));
};
