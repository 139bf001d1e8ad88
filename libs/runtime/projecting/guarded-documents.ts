import type { Collection, Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { Projection } from '../../eventsourcing/projection.js';

type FaultSource = {
  /** Returns the fault of a stream, if this process knows one. */
  readonly of: (stream: string) => HistoryFault | undefined;
  /** Returns the fault of a stream, if any process has recorded one. */
  readonly lookUp: (stream: string) => Promise<HistoryFault | undefined>;
};

/**
 * Wraps the read models so that `get` rejects with BrokenHistory for the document of a broken stream. Lists need no check,
 * because projections remove such documents. `get` looks for a fault in memory first. If the document does not exist, `get` also
 * looks in the database, because another process may have found the fault and removed the document.
 */
export const guardDocuments = (
  documents: Documents,
  faults: FaultSource,
  projections: readonly Pick<Projection, 'category' | 'collection'>[],
): Documents => {
  const categories = new Map(projections.map(({ category, collection }) => [collection.name, category]));
  const get = async (collection: Collection, key: string): Promise<StoredDocument | null> => {
    const category = categories.get(collection.name);
    if (category === undefined) return documents.get(collection, key);
    const stream = `${category}-${key}`;
    const fault = faults.of(stream);
    if (fault) throw new BrokenHistory(fault);
    const document = await documents.get(collection, key);
    const found = document ? undefined : await faults.lookUp(stream);
    if (found) throw new BrokenHistory(found);
    return document;
  };
  return {
    prepare: (collection) => documents.prepare(collection),
    get,
    find: (collection, find) => documents.find(collection, find),
    texts: (collection, find) => documents.texts(collection, find),
    count: (collection, where) => documents.count(collection, where),
    sum: (collection, where, by) => documents.sum(collection, where, by),
    apply: (writes, checkpoint) => documents.apply(writes, checkpoint),
    use: (collection, document, limit) => documents.use(collection, document, limit),
    checkpoint: (name) => documents.checkpoint(name),
    clear: (...collections) => documents.clear(...collections),
  };
};
