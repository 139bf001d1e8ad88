import type { ClientSession, Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { checkpointOf, type Checkpoint, type DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease } from '../../../eventsourcing/ports/leases.port.js';
import { isDuplicate } from '../connection/failures.js';
import type { LeaseRecord } from '../leases.js';
import { inTransaction } from '../connection/transactions.js';
import { collectionNamesOf, type CellRecord, type DocumentRecord } from './declaration.js';
import { isVersionName, type ReaderRecord } from './versions/reader-records.js';
import { VersionNotPrepared, type Versions } from './versions/versions.js';
import { groupByCollection, type CollectionWrites, type ExpectingWrite } from './writes.js';

export type ApplyingParts = {
  readonly client: MongoClient;
  readonly database: Db;
  readonly readers: MongoCollection<ReaderRecord>;
  readonly leases: MongoCollection<LeaseRecord>;
  readonly versions: Versions;
};

/** The writes to one collection, and the MongoDB collections that store it. */
type TargetedWrites = CollectionWrites & { readonly names: ReturnType<typeof collectionNamesOf>; readonly generation: number };

/** Thrown when a document has another revision than a write expects. */
class UnexpectedRevision extends Error {
  override readonly name = 'UnexpectedRevision';
}

const UNORDERED = { ordered: false } as const;

/** Thrown when the stored checkpoint is not before the new one. */
class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** Implements `Documents.apply`. Repeats the transaction until its outcome is known. */
export const applyWrites = async (
  parts: ApplyingParts,
  writes: readonly DocumentWrite[],
  checkpoint: Checkpoint | undefined,
): Promise<boolean> => {
  const sorted = groupByCollection(writes);
  const writeId = randomUUID();
  for (;;) {
    const targeted = await withTargets(parts, sorted);
    try {
      await inTransaction(parts.client, (session) => writeAll(parts, session, targeted, checkpoint, writeId));
      return true;
    } catch (error) {
      if (error instanceof UnexpectedRevision) return false;
      if (!checkpoint || !(error instanceof CheckpointMoved)) throw error;
      const record = await parts.readers.findOne({ _id: checkpoint.name });
      if (!record && isVersionName(checkpoint.name)) throw new VersionNotPrepared(checkpoint.name);
      const { position = 0, write: last } = record ?? {};
      // The response to an earlier commit was lost, but the writes of that commit are stored.
      if (last === writeId) return true;
      if (position >= checkpoint.position) return false;
      // Another process has cleared the documents, or has created the first record of this reader. The next
      // attempt uses the new versions.
      await parts.versions.read();
    }
  }
};

const withTargets = ({ versions }: ApplyingParts, sorted: readonly CollectionWrites[]): Promise<readonly TargetedWrites[]> =>
  Promise.all(
    sorted.map(async (writes) => {
      const { generation } = await versions.of(writes.collection);
      return { ...writes, generation, names: collectionNamesOf(writes.collection, generation) };
    }),
  );

/**
 * Checks the lease, then the checkpoint, and then writes: a process that has lost the lease must write
 * nothing.
 */
const writeAll = async (
  parts: ApplyingParts,
  session: ClientSession,
  targeted: readonly TargetedWrites[],
  checkpoint: Checkpoint | undefined,
  writeId: string,
): Promise<void> => {
  if (checkpoint?.lease) await useLease(parts, session, checkpoint.lease);
  if (checkpoint) await moveCheckpoint(parts, session, targeted, checkpoint, writeId);
  for (const { names, documents, expecting, cells, decremented } of targeted) {
    const options = { ...UNORDERED, session };
    for (const write of expecting) await replaceExpected(parts.database.collection<DocumentRecord>(names.documents), session, write);
    if (documents.length > 0) await parts.database.collection<DocumentRecord>(names.documents).bulkWrite(documents, options);
    const counters = parts.database.collection<CellRecord>(names.cells);
    if (cells.length > 0) await counters.bulkWrite(cells, options);
    if (decremented.length > 0) await counters.deleteMany({ _id: { $in: [...decremented] }, amount: 0 }, { session });
  }
};

const replaceExpected = async (
  documents: MongoCollection<DocumentRecord>,
  session: ClientSession,
  { document, expected }: ExpectingWrite,
): Promise<void> => {
  const { _id, ...replacement } = document;
  try {
    if (expected === 'none') await documents.insertOne(document, { session });
    else if ((await documents.replaceOne({ _id, revision: expected }, replacement, { session })).matchedCount === 0)
      throw new UnexpectedRevision(_id);
  } catch (error) {
    throw isDuplicate(error) ? new UnexpectedRevision(_id) : error;
  }
};

/**
 * Rejects with LeaseLost if the lease of the checkpoint has another owner. Also writes to the lease: if
 * another process takes it at the same time, the two transactions conflict, and only one commits.
 */
const useLease = async ({ leases }: ApplyingParts, session: ClientSession, { name, holder, fence }: Lease): Promise<void> => {
  const { matchedCount } = await leases.updateOne({ _id: name, holder, fence }, { $inc: { uses: 1 } }, { session });
  if (matchedCount === 0) throw new LeaseLost(`${holder} no longer owns the lease ${name}: nothing was written`);
};

/**
 * Moves the checkpoint forward. Inserts the record of a new reader, but never that of a version. Throws
 * CheckpointMoved if the stored checkpoint is not before the new one.
 */
const moveCheckpoint = async (
  { readers }: ApplyingParts,
  session: ClientSession,
  targeted: readonly TargetedWrites[],
  { name, position, lease }: Checkpoint,
  writeId: string,
): Promise<void> => {
  const filled = targeted.find(({ collection }) => checkpointOf(collection) === name);
  const before = { _id: name, position: { $lt: position }, ...(filled && { generation: filled.generation }) };
  const moved = { position, write: writeId, ...(lease && { lease: lease.name }) };
  try {
    const { matchedCount, upsertedCount } = await readers.updateOne(before, { $set: moved }, { session, upsert: !isVersionName(name) });
    if (matchedCount + upsertedCount === 0) throw new CheckpointMoved(name);
  } catch (error) {
    throw isDuplicate(error) ? new CheckpointMoved(name) : error;
  }
};
