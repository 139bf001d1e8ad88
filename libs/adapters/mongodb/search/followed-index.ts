import type { ChangeStream, ClientSession, Db, Document } from 'mongodb';
import { FacetIndex } from '../../../search/facet-index.js';
import type { DocumentRecord } from '../documents/declaration.js';
import type { ReaderRecord } from '../documents/versions/reader-records.js';
import type { IndexedDocuments } from './search-messages.js';

/** How long in milliseconds a search waits until the index has reached its position. Change streams lag by few milliseconds. */
const WAIT = 500;
/** Documents per read while the index is made. */
const BATCH = 5_000;

/** A change of a document, or of the record with the checkpoint. */
type Change = {
  readonly operationType: string;
  readonly ns?: { readonly coll?: string };
  readonly documentKey?: { readonly _id: string };
  readonly fullDocument?: Pick<DocumentRecord, 'f'>;
  readonly updateDescription?: { readonly updatedFields?: Partial<ReaderRecord> };
};

type Waiting = { readonly position: number; readonly end: (isReached: boolean) => void };

const pipelineOf = ({ documents, version }: IndexedDocuments): Document[] => [
  { $match: { $or: [{ 'ns.coll': documents }, { 'ns.coll': 'readers', 'documentKey._id': version }] } },
  { $project: { operationType: 1, ns: 1, documentKey: 1, 'fullDocument.f': 1, 'updateDescription.updatedFields': 1 } },
];

/**
 * An index in memory of the documents of a read model. It reads all documents once, and then follows the change stream of MongoDB,
 * which shows every transaction as a whole, with the checkpoint as its last change.
 */
export class FollowedIndex {
  readonly index: FacetIndex;
  /** The checkpoint up to which the index contains all changes. Negative while the index is made. */
  private position = -1;
  /** Changes up to this checkpoint may be older than the documents that were read. */
  private completeFrom = Infinity;
  private stream: ChangeStream<Document, Change> | null = null;
  private readonly waiting = new Set<Waiting>();
  private readonly database: Db;
  private readonly searched: IndexedDocuments;

  constructor(database: Db, searched: IndexedDocuments) {
    this.database = database;
    this.searched = searched;
    this.index = new FacetIndex(searched.facets);
  }

  /** Makes the index and follows the changes. Resolves when the documents are dropped. Rejects if the stream fails. */
  async follow(): Promise<void> {
    try {
      const stream = await this.make();
      for await (const change of stream) if (!this.add(change)) return;
    } finally {
      this.endWaits();
      await this.close();
    }
  }

  /** Resolves with whether the index contains all changes up to a checkpoint. Waits for changes under way, but not for the index to be made. */
  hasReached(position: number): Promise<boolean> {
    if (this.position >= position) return Promise.resolve(true);
    if (this.position < 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isReached: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(wait);
        resolve(isReached);
      };
      const timer = setTimeout(() => end(false), WAIT);
      const wait = { position, end };
      this.waiting.add(wait);
    });
  }

  async close(): Promise<void> {
    await this.stream?.close();
  }

  /** Reads all documents. Returns the stream of all changes since the first read. */
  private async make(): Promise<ChangeStream<Document, Change>> {
    // In one session, each read sees at least what the reads before it have seen.
    const session = this.database.client.startSession();
    try {
      const before = await this.readCheckpoint(session);
      const { operationTime } = session;
      if (!operationTime) throw new Error('MongoDB has no replica set, so it has no change streams');
      this.stream = this.database.watch<Document, Change>(pipelineOf(this.searched), { startAtOperationTime: operationTime });
      await this.readDocuments(session);
      this.completeFrom = await this.readCheckpoint(session);
      if (this.completeFrom === before) this.reach(before);
      return this.stream;
    } finally {
      await session.endSession();
    }
  }

  /** Applies a change. Returns false if it ends the index. */
  private add({ operationType, ns, documentKey, fullDocument, updateDescription }: Change): boolean {
    const key = documentKey?._id;
    if (ns?.coll !== this.searched.documents) return this.addCheckpoint(updateDescription?.updatedFields ?? {});
    if (key !== undefined && fullDocument) this.index.put(key, fullDocument.f);
    else if (key !== undefined && operationType === 'delete') this.index.remove(key);
    else if (operationType === 'drop') return false;
    else throw new Error(`the change ${operationType} of ${ns.coll} is unknown`);
    return true;
  }

  private addCheckpoint({ position, generation }: Partial<ReaderRecord>): boolean {
    if (position !== undefined && position >= this.completeFrom) this.reach(position);
    // A cleared read model continues in other collections.
    return generation === undefined || generation === this.searched.generation;
  }

  private reach(position: number): void {
    this.position = position;
    for (const wait of [...this.waiting]) if (wait.position <= position) wait.end(true);
  }

  private endWaits(): void {
    this.position = -1;
    for (const { end } of [...this.waiting]) end(false);
  }

  private async readDocuments(session: ClientSession): Promise<void> {
    const documents = this.database.collection<DocumentRecord>(this.searched.documents);
    // In the order of the keys, because the index adds a key after all others fastest.
    const cursor = documents.find({}, { projection: { f: 1 }, sort: { _id: 1 }, batchSize: BATCH, session });
    for await (const { _id, f } of cursor) this.index.append(_id, f);
    this.index.sort();
  }

  private async readCheckpoint(session: ClientSession): Promise<number> {
    const readers = this.database.collection<ReaderRecord>('readers');
    return (await readers.findOne({ _id: this.searched.version }, { projection: { position: 1 }, session }))?.position ?? 0;
  }
}
