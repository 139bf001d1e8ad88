import type { ChangeStream, ClientSession, Db, Document } from 'mongodb';
import type { DocumentChanges, DocumentFollower } from '../../../eventsourcing/ports/document-changes.port.js';
import type { DocumentRecord } from '../documents/declaration.js';
import type { ReaderRecord } from '../documents/versions/reader-records.js';
import type { SearchedDocuments } from './search-messages.js';

/** Documents per read while they are loaded. */
const BATCH = 5_000;

/** A change of a document, or of the record with the checkpoint. */
type Change = {
  readonly operationType: string;
  readonly ns?: { readonly coll?: string };
  readonly documentKey?: { readonly _id: string };
  readonly fullDocument?: Pick<DocumentRecord, 'f'>;
  readonly updateDescription?: { readonly updatedFields?: Partial<ReaderRecord> };
};

const pipelineOf = ({ name, version }: SearchedDocuments): Document[] => [
  { $match: { $or: [{ 'ns.coll': name }, { 'ns.coll': 'readers', 'documentKey._id': version }] } },
  { $project: { operationType: 1, ns: 1, documentKey: 1, 'fullDocument.f': 1, 'updateDescription.updatedFields': 1 } },
];

/**
 * The documents of read models in MongoDB. Their changes are those of the change stream, which shows every transaction as a whole, with
 * the checkpoint as its last change.
 */
export class MongoChanges implements DocumentChanges<SearchedDocuments> {
  private readonly database: Db;
  private readonly open = new Set<ChangeStream<Document, Change>>();

  constructor(database: Db) {
    this.database = database;
  }

  async follow(of: SearchedDocuments, follower: DocumentFollower): Promise<void> {
    // In one session, each read sees at least what the reads before it have seen.
    const session = this.database.client.startSession();
    try {
      const before = await this.readCheckpoint(of, session);
      const { operationTime } = session;
      if (!operationTime) throw new Error('MongoDB has no replica set, so it has no change streams');
      const stream = this.database.watch<Document, Change>(pipelineOf(of), { startAtOperationTime: operationTime });
      this.open.add(stream);
      try {
        await this.load(of, follower, session);
        // Changes up to here may be older than the documents that were read.
        const completeFrom = await this.readCheckpoint(of, session);
        if (completeFrom === before) follower.reach(before);
        for await (const change of stream) if (!tell(of, follower, change, completeFrom)) return;
      } finally {
        this.open.delete(stream);
        await stream.close();
      }
    } finally {
      await session.endSession();
    }
  }

  async close(): Promise<void> {
    for (const stream of this.open) await stream.close();
  }

  private async load(of: SearchedDocuments, follower: DocumentFollower, session: ClientSession): Promise<void> {
    const documents = this.database.collection<DocumentRecord>(of.name);
    const cursor = documents.find({}, { projection: { f: 1 }, sort: { _id: 1 }, batchSize: BATCH, session });
    for await (const { _id, f } of cursor) follower.load(_id, f);
    follower.loaded();
  }

  private async readCheckpoint({ version }: SearchedDocuments, session: ClientSession): Promise<number> {
    const readers = this.database.collection<ReaderRecord>('readers');
    return (await readers.findOne({ _id: version }, { projection: { position: 1 }, session }))?.position ?? 0;
  }
}

/** Tells a follower of a change. Returns false if it ends the documents. */
const tell = (
  { name, generation }: SearchedDocuments,
  follower: DocumentFollower,
  { operationType, ns, documentKey, fullDocument, updateDescription }: Change,
  completeFrom: number,
): boolean => {
  const key = documentKey?._id;
  if (ns?.coll !== name) {
    const { position, generation: next } = updateDescription?.updatedFields ?? {};
    if (position !== undefined && position >= completeFrom) follower.reach(position);
    // A cleared read model continues in other collections.
    return next === undefined || next === generation;
  }
  if (operationType === 'drop') return false;
  if (key === undefined || (!fullDocument && operationType !== 'delete'))
    throw new Error(`the change ${operationType} of ${name} is unknown`);
  follower.change(key, fullDocument?.f ?? null);
  return true;
};
