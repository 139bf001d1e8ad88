import type { ClientSession, Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { checkpointOf, type Checkpoint, type DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease } from '../../../eventsourcing/ports/leases.port.js';
import { isDuplicate } from '../connection/failures.js';
import type { LeaseRecord } from '../leases.js';
import { inTransaction } from '../connection/transactions.js';
import { namesOfVersion, type CellRecord, type DocumentRecord } from './declaration.js';
import { isVersionName, type ReaderRecord } from './versions/reader-records.js';
import { VersionNotPrepared, type Versions } from './versions/versions.js';
import { groupByCollection, type CollectionWrites, type ExpectingWrite } from './writes.js';

export type ApplyingDependencies = {
  readonly client: MongoClient;
  readonly database: Db;
  readonly readers: MongoCollection<ReaderRecord>;
  readonly leases: MongoCollection<LeaseRecord>;
  readonly versions: Versions;
};

/** The writes to one collection, and the MongoDB collections that store it. */
type TargetedWrites = CollectionWrites & { readonly names: ReturnType<typeof namesOfVersion>; readonly generation: number };

/** Thrown when a document has another revision than a write expects. */
export class UnexpectedRevision extends Error {
  override readonly name = 'UnexpectedRevision';
}

/** Lets MongoDB run the writes of a bulk in any order. This is safe, because no two of them change the same document or cell. */
const UNORDERED = { ordered: false } as const;

/**
 * Thrown when a checkpoint cannot be moved: the stored position is not before the new position, or the written version was
 * cleared or dropped.
 */
class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/**
 * Returns whether the writes are one write of one document. MongoDB makes it atomic without a transaction. The transaction of a
 * process that is killed would lock the document for up to a minute.
 */
const isOneDocument = ([only, ...others]: readonly CollectionWrites[]): boolean =>
  only !== undefined && others.length === 0 && only.cells.length === 0 && only.documents.length + only.expecting.length === 1;

/**
 * Implements `Documents.apply`: writes documents and moves the checkpoint in one transaction. Returns false, and writes
 * nothing, if a document has an unexpected revision or the stored position is not before the new position. Repeats the
 * transaction until its outcome is known. The transaction stores `writeId` with the checkpoint. If a later attempt fails, the
 * stored id shows whether an earlier attempt was committed.
 */
export const applyWrites = async (
  dependencies: ApplyingDependencies,
  writes: readonly DocumentWrite[],
  checkpoint: Checkpoint | undefined,
): Promise<boolean> => {
  const sorted = groupByCollection(writes);
  const writeId = randomUUID();
  for (;;) {
    const targeted = await withTargets(dependencies, sorted);
    try {
      if (!checkpoint && isOneDocument(targeted)) await writeDocuments(dependencies, undefined, targeted);
      else await inTransaction(dependencies.client, (session) => writeAll(dependencies, session, targeted, checkpoint, writeId));
      return true;
    } catch (error) {
      const isUnexpected = error instanceof UnexpectedRevision;
      if (!isUnexpected && !(error instanceof CheckpointMoved)) throw error;
      if (!checkpoint) return false;
      const record = await dependencies.readers.findOne({ _id: checkpoint.name });
      if (!record && isVersionName(checkpoint.name)) throw new VersionNotPrepared(checkpoint.name);
      const { position = 0, write: last } = record ?? {};
      // An earlier attempt was committed, and only the response to its commit was lost.
      if (last === writeId) return true;
      if (isUnexpected || position >= checkpoint.position) return false;
      // Another process has cleared the documents, or has created the first record of this reader. The next
      // attempt needs the current versions.
      await dependencies.versions.read();
    }
  }
};

/** Finds the MongoDB collections of writes. */
export const withTargets = (
  { versions }: Pick<ApplyingDependencies, 'versions'>,
  sorted: readonly CollectionWrites[],
): Promise<readonly TargetedWrites[]> =>
  Promise.all(
    sorted.map(async (writes) => {
      const version = await versions.of(writes.collection);
      return { ...writes, generation: version.generation, names: namesOfVersion(version) };
    }),
  );

/**
 * Checks the lease, then writes, and then moves the checkpoint. The checkpoint is last, because change streams show the changes of a
 * transaction in this order. A reader that sees the checkpoint has seen the documents.
 */
const writeAll = async (
  dependencies: ApplyingDependencies,
  session: ClientSession,
  targeted: readonly TargetedWrites[],
  checkpoint: Checkpoint | undefined,
  writeId: string,
): Promise<void> => {
  if (checkpoint?.lease) await useLease(dependencies, session, checkpoint.lease);
  await writeDocuments(dependencies, session, targeted);
  if (checkpoint) await moveCheckpoint(dependencies, session, targeted, checkpoint, writeId);
};

/** Writes documents and cells. Without a session, each write is an operation of its own. */
export const writeDocuments = async (
  dependencies: Pick<ApplyingDependencies, 'database'>,
  session: ClientSession | undefined,
  targeted: readonly TargetedWrites[],
): Promise<void> => {
  for (const { names, documents, expecting, cells, decremented } of targeted) {
    const options = { ...UNORDERED, ...(session && { session }) };
    for (const write of expecting) await replaceExpected(dependencies.database.collection<DocumentRecord>(names.documents), options, write);
    if (documents.length > 0) await dependencies.database.collection<DocumentRecord>(names.documents).bulkWrite(documents, options);
    const counters = dependencies.database.collection<CellRecord>(names.cells);
    if (cells.length > 0) await counters.bulkWrite(cells, options);
    if (decremented.length > 0) await counters.deleteMany({ _id: { $in: [...decremented] }, amount: 0 }, options);
  }
};

const replaceExpected = async (
  documents: MongoCollection<DocumentRecord>,
  options: { readonly session?: ClientSession },
  { document, expected }: ExpectingWrite,
): Promise<void> => {
  const { _id, ...replacement } = document;
  try {
    if (expected === 'none') await documents.insertOne(document, options);
    else if ((await documents.replaceOne({ _id, revision: expected }, replacement, options)).matchedCount === 0)
      throw new UnexpectedRevision(_id);
  } catch (error) {
    throw isDuplicate(error) ? new UnexpectedRevision(_id) : error;
  }
};

/**
 * Rejects with LeaseLost if the lease of the checkpoint has another owner. Increments `uses` in the lease's record, so that
 * this update conflicts with a process that acquires the lease at the same time. Only one of the two succeeds.
 */
const useLease = async ({ leases }: ApplyingDependencies, session: ClientSession, { name, owner: holder, fence }: Lease): Promise<void> => {
  const { matchedCount } = await leases.updateOne({ _id: name, holder, fence }, { $inc: { uses: 1 } }, { session });
  if (matchedCount === 0) throw new LeaseLost(`${holder} no longer owns the lease ${name}: nothing was written`);
};

/**
 * Moves the checkpoint forward, or throws CheckpointMoved. Inserts the record of a new reader, but never the record of a
 * version: only `prepare` inserts those. If a record exists but does not match `before`, the upsert fails with a duplicate key.
 */
const moveCheckpoint = async (
  { readers }: ApplyingDependencies,
  session: ClientSession,
  targeted: readonly TargetedWrites[],
  { name, position, lease, event }: Checkpoint,
  writeId: string,
): Promise<void> => {
  const filled = targeted.find(({ collection }) => checkpointOf(collection) === name);
  const before = { _id: name, position: { $lt: position }, ...(filled && { generation: filled.generation }) };
  const moved = { position, write: writeId, ...(lease && { lease: lease.name }), ...(event && { event }) };
  const update = { $set: moved, ...(!event && { $unset: { event: true as const } }) };
  try {
    const { matchedCount, upsertedCount } = await readers.updateOne(before, update, { session, upsert: !isVersionName(name) });
    if (matchedCount + upsertedCount === 0) throw new CheckpointMoved(name);
  } catch (error) {
    throw isDuplicate(error) ? new CheckpointMoved(name) : error;
  }
};
