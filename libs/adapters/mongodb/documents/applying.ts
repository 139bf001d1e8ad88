import type { ClientSession, Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { checkpointOf, type Checkpoint, type DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease } from '../../../eventsourcing/ports/leases.port.js';
import { isDuplicate } from '../connection/failures.js';
import type { KeptLease } from '../leases.js';
import { inTransaction } from '../connection/transactions.js';
import { placesOf, type KeptCell, type KeptDocument } from './declared.js';
import { isVersionName, type ReaderRecord } from './versions/reader-records.js';
import { NotMadeReady, type Versions } from './versions/versions.js';
import { byCollection, type CollectionWrites, type ExpectingWrite } from './writes.js';

export type ApplyingParts = {
  readonly client: MongoClient;
  readonly database: Db;
  readonly readers: MongoCollection<ReaderRecord>;
  readonly leases: MongoCollection<KeptLease>;
  readonly versions: Versions;
};

/** Writes, where they go. */
type PlacedWrites = CollectionWrites & { readonly places: ReturnType<typeof placesOf>; readonly generation: number };

/** A document stands elsewhere than the writes suppose. */
class NotAsExpected extends Error {
  override readonly name = 'NotAsExpected';
}

const UNORDERED = { ordered: false } as const;

/** The checkpoint stands elsewhere than the writes suppose. */
class NotAtCheckpoint extends Error {
  override readonly name = 'NotAtCheckpoint';
}

/** Does what `Documents.apply` promises. */
export const applyWrites = async (
  parts: ApplyingParts,
  writes: readonly DocumentWrite[],
  checkpoint: Checkpoint | undefined,
): Promise<boolean> => {
  const sorted = byCollection(writes);
  const write = randomUUID();
  for (;;) {
    const placed = await placedIn(parts, sorted);
    try {
      await inTransaction(parts.client, (session) => writeAll(parts, session, placed, checkpoint, write));
      return true;
    } catch (error) {
      if (error instanceof NotAsExpected) return false;
      if (!checkpoint || !(error instanceof NotAtCheckpoint)) throw error;
      const record = await parts.readers.findOne({ _id: checkpoint.name });
      if (!record && isVersionName(checkpoint.name)) throw new NotMadeReady(checkpoint.name);
      const { position = 0, write: last } = record ?? {};
      // The answer to the commit was lost, and asking again has met its own writes.
      if (last === write) return true;
      if (position >= checkpoint.position) return false;
      // Another began to build the documents anew meanwhile, or made this reader's first record.
      await parts.versions.read();
    }
  }
};

const placedIn = ({ versions }: ApplyingParts, sorted: readonly CollectionWrites[]): Promise<readonly PlacedWrites[]> =>
  Promise.all(
    sorted.map(async (its) => {
      const { generation } = await versions.of(its.collection);
      return { ...its, generation, places: placesOf(its.collection, generation) };
    }),
  );

/** The lease first, then the checkpoint: a process that lost the lease is rejected before anything is written. */
const writeAll = async (
  parts: ApplyingParts,
  session: ClientSession,
  placed: readonly PlacedWrites[],
  checkpoint: Checkpoint | undefined,
  write: string,
): Promise<void> => {
  if (checkpoint?.lease) await useLease(parts, session, checkpoint.lease);
  if (checkpoint) await move(parts, session, placed, checkpoint, write);
  for (const { places, documents, expecting, cells, lessened } of placed) {
    const options = { ...UNORDERED, session };
    for (const write of expecting) await replaceExpected(parts.database.collection<KeptDocument>(places.documents), session, write);
    if (documents.length > 0) await parts.database.collection<KeptDocument>(places.documents).bulkWrite(documents, options);
    const counters = parts.database.collection<KeptCell>(places.cells);
    if (cells.length > 0) await counters.bulkWrite(cells, options);
    if (lessened.length > 0) await counters.deleteMany({ _id: { $in: [...lessened] }, amount: 0 }, { session });
  }
};

const replaceExpected = async (
  place: MongoCollection<KeptDocument>,
  session: ClientSession,
  { document, expected }: ExpectingWrite,
): Promise<void> => {
  const { _id, ...replacement } = document;
  try {
    if (expected === 'none') await place.insertOne(document, { session });
    else if ((await place.replaceOne({ _id, revision: expected }, replacement, { session })).matchedCount === 0)
      throw new NotAsExpected(_id);
  } catch (error) {
    throw isDuplicate(error) ? new NotAsExpected(_id) : error;
  }
};

/**
 * "Rejects with LeaseLost, and changes nothing, when the checkpoint's lease is no longer its holder's." The lease is
 * written, not only read: of this transaction and one that takes the lease meanwhile, only one can be committed.
 */
const useLease = async ({ leases }: ApplyingParts, session: ClientSession, { name, holder, fence }: Lease): Promise<void> => {
  const { matchedCount } = await leases.updateOne({ _id: name, holder, fence }, { $inc: { uses: 1 } }, { session });
  if (matchedCount === 0) throw new LeaseLost(`${holder} no longer holds ${name}: nothing was written`);
};

/** "Writes whose position is not after the stored one change nothing": inserting a second record of that name fails, and a version's is never inserted. */
const move = async (
  { readers }: ApplyingParts,
  session: ClientSession,
  placed: readonly PlacedWrites[],
  { name, position, lease }: Checkpoint,
  write: string,
): Promise<void> => {
  const filled = placed.find(({ collection }) => checkpointOf(collection) === name);
  const before = { _id: name, position: { $lt: position }, ...(filled && { generation: filled.generation }) };
  const moved = { position, write, ...(lease && { lease: lease.name }) };
  try {
    const { matchedCount, upsertedCount } = await readers.updateOne(before, { $set: moved }, { session, upsert: !isVersionName(name) });
    if (matchedCount + upsertedCount === 0) throw new NotAtCheckpoint(name);
  } catch (error) {
    throw isDuplicate(error) ? new NotAtCheckpoint(name) : error;
  }
};
