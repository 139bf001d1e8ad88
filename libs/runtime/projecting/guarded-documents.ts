import type { Collection, Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { Projection } from '../../eventsourcing/projection.js';

type FaultSource = {
  /** Returns the fault of a stream, if this process knows one. */
  readonly of: (stream: string) => HistoryFault | undefined;
  /** Returns the fault of a stream, if any process has recorded one. */
  readonly lookUp: (stream: string) => Promise<HistoryFault | undefined>;
};

/** Says which streams a read model has folded with other skipped events before. */
type Refolds = { readonly isRefolded: (projection: string, stream: string) => boolean };

/**
 * Wraps the read models so that `get` rejects with BrokenHistory for the document of a broken stream. Lists need no check,
 * because projections remove such documents. `get` looks for a fault in memory first. If the document does not exist, `get` also
 * looks in the database, because another process may have found the fault and removed the document. Marks the documents whose
 * revision does not identify them.
 */
export const guardDocuments = (
  documents: Documents,
  faults: FaultSource,
  refolds: Refolds,
  projections: readonly Pick<Projection, 'name' | 'category' | 'collection'>[],
): Documents => {
  const byCollection = new Map(projections.map((projection) => [projection.collection.name, projection]));
  const marked = ({ name: collection }: Collection, document: StoredDocument): StoredDocument => {
    const projection = byCollection.get(collection);
    const isRefolded = projection && refolds.isRefolded(projection.name, `${projection.category}-${document.key}`);
    return isRefolded ? { ...document, isRefolded } : document;
  };
  const get = async (collection: Collection, key: string): Promise<StoredDocument | null> => {
    const category = byCollection.get(collection.name)?.category;
    if (category === undefined) return documents.get(collection, key);
    const stream = `${category}-${key}`;
    const fault = faults.of(stream);
    if (fault) throw new BrokenHistory(fault);
    const document = await documents.get(collection, key);
    const found = document ? undefined : await faults.lookUp(stream);
    if (found) throw new BrokenHistory(found);
    return document && marked(collection, document);
  };
  return {
    prepare: (collection) => documents.prepare(collection),
    get,
    find: async (collection, find) => (await documents.find(collection, find)).map((document) => marked(collection, document)),
    page: (collection, find) => documents.page(collection, find),
    texts: (collection, find) => documents.texts(collection, find),
    count: (collection, where) => documents.count(collection, where),
    sum: (collection, where, by) => documents.sum(collection, where, by),
    apply: (writes, checkpoint) => documents.apply(writes, checkpoint),
    use: (collection, document, limit) => documents.use(collection, document, limit),
    checkpoint: (name) => documents.checkpoint(name),
    clear: (...collections) => documents.clear(...collections),
  };
};
