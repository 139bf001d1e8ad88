import type { ClientSession, Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import type { Clock } from '../../../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Collection } from '../../../../eventsourcing/ports/documents.port.js';
import { reasonOf } from '../../../../eventsourcing/reason.js';
import type { KeptLease } from '../../leases.js';
import type { Log } from '../../../../eventsourcing/ports/log.port.js';
import { inTransaction } from '../../connection/transactions.js';
import { dropPlaces, makePlaces } from './places.js';
import type { KnownVersion, ReaderRecord } from './reader-records.js';
import type { Versions } from './versions.js';

type KeepingParts = {
  readonly client: MongoClient;
  readonly database: Db;
  readonly readers: MongoCollection<ReaderRecord>;
  readonly leases: MongoCollection<KeptLease>;
  readonly versions: Versions;
  readonly clock: Clock;
  readonly log: Log;
  /** How long processes of an older release may still read what a newer version has replaced. */
  readonly keepReplacedMilliseconds: number;
};

/** The fields or the cells of a collection are others than before, under the same version. */
export class ShapeChanged extends Error {
  override readonly name = 'ShapeChanged';
}

/** Someone else changed a version in the same moment. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

const shapeOf = ({ fields, cells }: Pick<Collection, 'fields' | 'cells'>): string => JSON.stringify([Object.entries(fields), cells]);

/** Begins, completes, empties and drops versions of collections. */
export class VersionKeeping {
  private waiting = new Set<() => void>();

  constructor(private readonly parts: KeepingParts) {}

  /** Makes a version ready: its record, its place and its indexes. Asking twice does no harm. */
  async prepare(collection: Collection): Promise<void> {
    const { database, readers, versions } = this.parts;
    const { name, version, fields, cells } = collection;
    const first = { position: 0, declared: { name, version, fields, cells }, generation: 1, inService: false };
    await readers.updateOne({ _id: checkpointOf(collection) }, { $setOnInsert: first }, { upsert: true });
    await versions.read();
    const known = await versions.of(collection);
    if (shapeOf(known.declared) !== shapeOf(collection))
      throw new ShapeChanged(
        `the fields or cells of ${name} have changed, but its version is still ${version}: raise it, so that it is built anew`,
      );
    await makePlaces(database, collection, known.generation);
    await dropPlaces(database, collection, known.generation);
  }

  /**
   * Forgets documents, cells and positions "all in one step": the next generation of each is empty. The process that filled
   * the former one loses its lease in the same step: its pending writes build on deleted documents, and are rejected.
   */
  async clear(collections: readonly Collection[]): Promise<void> {
    const { database, versions } = this.parts;
    for (;;) {
      const known = await Promise.all(collections.map((collection) => versions.of(collection)));
      for (const [index, { generation }] of known.entries()) {
        const collection = collections[index];
        if (collection) await makePlaces(database, collection, generation + 1);
      }
      const changed = await this.beginNext(known);
      await versions.read();
      if (!changed) continue;
      for (const { declared, generation } of known) await dropPlaces(database, declared, generation + 1);
      return;
    }
  }

  /**
   * Shows a complete version from now on. The process that fills it calls this when it has reached the end of the log, at
   * every start. What it replaces is dropped after a while.
   */
  async putInService(collection: Collection): Promise<void> {
    const { readers, versions, clock, log, keepReplacedMilliseconds } = this.parts;
    await readers.updateOne({ _id: checkpointOf(collection) }, { $set: { inService: true } });
    // The older ones fall behind from now on: they stand in for nothing any more.
    const older = { 'declared.name': collection.name, 'declared.version': { $lt: collection.version }, inService: true };
    await readers.updateMany(older, { $set: { inService: false } });
    await versions.read();
    const drop = (): void => {
      this.waiting.delete(cancel);
      this.dropReplaced(collection).catch((error: unknown) =>
        log.warn(
          { collection: collection.name, reason: reasonOf(error) },
          'older versions could not be dropped; the next start tries again',
        ),
      );
    };
    const cancel = clock.after(keepReplacedMilliseconds, drop);
    this.waiting.add(cancel);
  }

  /** Drops what waits no longer than this process lives; the next one to fill the collection goes on with it. */
  close(): void {
    for (const cancel of this.waiting) cancel();
    this.waiting.clear();
  }

  private async dropReplaced(collection: Collection): Promise<void> {
    const { client, database, readers, versions, log } = this.parts;
    await versions.read();
    const all = await versions.all(collection.name);
    const newest = all.findLast(({ inService }) => inService);
    for (const { _id, declared } of all) {
      if (!newest || declared.version >= newest.declared.version) continue;
      await inTransaction(client, async (session) => this.endFilling(await readers.findOneAndDelete({ _id }, { session }), session));
      await dropPlaces(database, declared);
      log.info({ collection: _id }, 'the documents of an older version are gone');
    }
    await versions.read();
  }

  /** Answers false when another has begun a next generation first. */
  private async beginNext(known: readonly KnownVersion[]): Promise<boolean> {
    const { client, readers } = this.parts;
    // A single write waits for its turn, where a transaction that meets another has to begin again: once nobody fills them, it meets none.
    for (const record of await readers.find({ _id: { $in: known.map(({ _id }) => _id) } }).toArray()) await this.endFilling(record);
    const next = { $inc: { generation: 1 }, $set: { position: 0, inService: false } };
    try {
      await inTransaction(client, async (session) => {
        for (const { _id, generation } of known) {
          const before = await readers.findOneAndUpdate({ _id, generation }, next, { session });
          if (!before) throw new ChangedMeanwhile(_id);
          await this.endFilling(before, session);
        }
      });
      return true;
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return false;
      throw error;
    }
  }

  /**
   * Takes the lease from the process that moved this record last. A free lease is changed as well: an update that changes nothing is
   * no write, and would not conflict with a process that takes the lease meanwhile.
   */
  private async endFilling(record: ReaderRecord | null, session?: ClientSession): Promise<void> {
    if (record?.lease === undefined) return;
    const free = { $set: { holder: null, until: null }, $inc: { fence: 1 } };
    await this.parts.leases.updateOne({ _id: record.lease }, free, { ...(session && { session }) });
  }
}
