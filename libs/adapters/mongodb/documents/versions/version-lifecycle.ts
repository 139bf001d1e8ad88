import type { ClientSession, Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import type { Clock } from '../../../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Collection } from '../../../../eventsourcing/ports/documents.port.js';
import { SIDES } from '../../../../eventsourcing/ports/fills.port.js';
import { besideOf, replacedVersions } from '../../../../eventsourcing/read-model-versions.js';
import { reasonOf } from '../../../../eventsourcing/reason.js';
import type { LeaseRecord } from '../../leases.js';
import type { Log } from '../../../../eventsourcing/ports/log.port.js';
import { inTransaction } from '../../connection/transactions.js';
import { dropCollections, createCollections } from './mongo-collections.js';
import type { VersionDocument, ReaderRecord } from './reader-records.js';
import type { Versions } from './versions.js';

type VersionLifecycleDependencies = {
  readonly client: MongoClient;
  readonly database: Db;
  readonly readers: MongoCollection<ReaderRecord>;
  readonly leases: MongoCollection<LeaseRecord>;
  readonly versions: Versions;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a replaced version is kept for processes of an older release. */
  readonly keepReplacedMilliseconds: number;
};

/** Thrown when the fields or cells of a collection have changed but its version has not. */
export class ShapeChanged extends Error {
  override readonly name = 'ShapeChanged';
}

/** Thrown when another process has changed a version at the same time. */
class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange';
}

/**
 * The distance between the generations of a fill and of the documents that it may replace. A process of an older release, which knows no
 * fills, raises a generation by 1 when it clears a version.
 */
export const DISTANCE = 1_000;

const shapeOf = ({ fields, cells }: Pick<Collection, 'fields' | 'cells'>): string => JSON.stringify([Object.entries(fields), cells]);

/** Creates, completes, clears and drops versions of collections. */
export class VersionLifecycle {
  private scheduledDrops = new Set<() => void>();

  constructor(private readonly dependencies: VersionLifecycleDependencies) {}

  /**
   * Creates the record of a version, its MongoDB collections and indexes, if they are missing. Also drops collections of
   * earlier generations, which an interrupted `clear` has left. Throws ShapeChanged if the fields or cells have changed.
   */
  async prepare(collection: Collection): Promise<void> {
    const { database, readers, versions } = this.dependencies;
    const { name, version, fields, cells } = collection;
    const first = { position: 0, declared: { name, version, fields, cells }, generation: 1, inService: false };
    await readers.updateOne({ _id: checkpointOf(collection) }, { $setOnInsert: first }, { upsert: true });
    await versions.read();
    const stored = await versions.of(collection);
    if (shapeOf(stored.declared) !== shapeOf(collection))
      throw new ShapeChanged(
        `the fields or cells of ${name} have changed, but its version is still ${version}: raise the version to rebuild it`,
      );
    await createCollections(database, collection, stored.generation);
    // Generations below are former ones. Those far above are what is left of fills.
    const isLeft = (generation: number): boolean => generation < stored.generation || generation >= stored.generation + DISTANCE;
    await dropCollections(
      database,
      collection,
      async (generation) => isLeft(generation) && !(await this.generationsBeside(collection)).has(generation),
    );
  }

  /**
   * Clears documents, cells and checkpoints in one step by starting the next generation, which has new MongoDB collections.
   * The process that filled the old generation loses its lease in the same step, so that its pending writes are rejected.
   */
  async clear(collections: readonly Collection[]): Promise<void> {
    const { database, versions } = this.dependencies;
    for (;;) {
      const stored = await Promise.all(collections.map((collection) => versions.of(collection)));
      for (const [index, { generation }] of stored.entries()) {
        const collection = collections[index];
        if (collection) await createCollections(database, collection, generation + 1);
      }
      await this.removeFills(collections);
      const changed = await this.startNextGeneration(stored);
      await versions.read();
      if (!changed) continue;
      for (const { declared, generation } of stored) await dropCollections(database, declared, (dropped) => dropped <= generation);
      return;
    }
  }

  /**
   * Marks a version as complete, so that queries use it. Called whenever its projection has reached the end
   * of the log. Replaced versions are dropped later.
   */
  async putInService(collection: Collection): Promise<void> {
    const { readers, versions, clock, log, keepReplacedMilliseconds } = this.dependencies;
    await readers.updateOne({ _id: checkpointOf(collection) }, { $set: { inService: true } });
    // Queries must not use older versions, which are no longer updated.
    const older = { 'declared.name': collection.name, 'declared.version': { $lt: collection.version }, inService: true };
    await readers.updateMany(older, { $set: { inService: false } });
    await versions.read();
    const drop = (): void => {
      this.scheduledDrops.delete(cancel);
      this.dropReplaced(collection).catch((error: unknown) =>
        log.warn({ collection: collection.name, reason: reasonOf(error) }, 'could not drop older versions; the next start retries'),
      );
    };
    const cancel = clock.after(keepReplacedMilliseconds, drop);
    this.scheduledDrops.add(cancel);
  }

  /** Cancels scheduled drops. The next process that fills the collection schedules them again. */
  close(): void {
    for (const cancel of this.scheduledDrops) cancel();
    this.scheduledDrops.clear();
  }

  /**
   * Drops the versions that `collection` has replaced. Deletes a version's record and revokes its lease
   * first, so that a process of an older release cannot write to the dropped collections.
   */
  private async dropReplaced(collection: Collection): Promise<void> {
    const { client, database, readers, versions, log } = this.dependencies;
    await versions.read();
    for (const { _id, declared } of replacedVersions(await versions.all(collection.name))) {
      if (declared.version >= collection.version) continue;
      await inTransaction(client, async (session) => this.revokeLease(await readers.findOneAndDelete({ _id }, { session }), session));
      await dropCollections(database, declared);
      log.info({ collection: _id }, 'dropped the documents of an older version');
    }
    await versions.read();
  }

  /**
   * Returns the generations of the fill and of what a fill has replaced. A fill has a record before it has documents, so that no process
   * takes them for what is left of a former one.
   */
  private async generationsBeside(collection: Collection): Promise<ReadonlySet<number>> {
    const _id = { $in: SIDES.map((side) => checkpointOf(besideOf(collection, side))) };
    const records = await this.dependencies.readers.find({ _id }).toArray();
    return new Set(records.map(({ generation = 0 }) => generation));
  }

  /** Removes the records of the fills of collections. Their documents are of generations that are dropped. */
  private async removeFills(collections: readonly Collection[]): Promise<void> {
    const { client, readers } = this.dependencies;
    const _id = { $in: collections.flatMap((collection) => SIDES.map((side) => checkpointOf(besideOf(collection, side)))) };
    for (const record of await readers.find({ _id }).toArray())
      await inTransaction(client, async (session) =>
        this.revokeLease(await readers.findOneAndDelete({ _id: record._id }, { session }), session),
      );
  }

  /**
   * Starts the next generation of all these versions. Returns false, and starts none, if another process has already started
   * the next generation of one of them.
   */
  private async startNextGeneration(stored: readonly VersionDocument[]): Promise<boolean> {
    const { client, readers } = this.dependencies;
    // Leases are revoked twice. This first update is outside a transaction, so it waits until a running transaction of the
    // lease's owner has ended. The second update is part of the transaction below, and would fail if it conflicted with the
    // owner's transaction.
    for (const record of await readers.find({ _id: { $in: stored.map(({ _id }) => _id) } }).toArray()) await this.revokeLease(record);
    // A checkpoint that still named its event would look as if the log had lost it (contract 24.9).
    const next = { $inc: { generation: 1 }, $set: { position: 0, inService: false }, $unset: { event: true as const } };
    try {
      await inTransaction(client, async (session) => {
        for (const { _id, generation } of stored) {
          const before = await readers.findOneAndUpdate({ _id, generation }, next, { session });
          if (!before) throw new ConcurrentChange(_id);
          await this.revokeLease(before, session);
        }
      });
      return true;
    } catch (error) {
      if (error instanceof ConcurrentChange) return false;
      throw error;
    }
  }

  /**
   * Revokes the lease under which the checkpoint in this record was last moved. The fence changes even if the lease is
   * already free. An update without a change would not conflict with a process that acquires the lease at the same time.
   */
  private async revokeLease(record: ReaderRecord | null, session?: ClientSession): Promise<void> {
    if (record?.lease === undefined) return;
    const free = { $set: { holder: null, until: null }, $inc: { fence: 1 } };
    await this.dependencies.leases.updateOne({ _id: record.lease }, free, { ...(session && { session }) });
  }
}
