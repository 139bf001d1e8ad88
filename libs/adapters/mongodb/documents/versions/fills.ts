import type { ClientSession, Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import { canonicalText } from '../../../../eventsourcing/canonical-json.js';
import type { Clock } from '../../../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Collection, type DocumentWrite } from '../../../../eventsourcing/ports/documents.port.js';
import { SIDES, type Beside, type Fills, type WantedFills } from '../../../../eventsourcing/ports/fills.port.js';
import type { Projection } from '../../../../eventsourcing/projection.js';
import { besideOf } from '../../../../eventsourcing/read-model-versions.js';
import { withPortErrors } from '../../connection/failures.js';
import { inTransaction } from '../../connection/transactions.js';
import type { LeaseRecord } from '../../leases.js';
import { UnexpectedRevision, withTargets, writeDocuments } from '../apply-writes.js';
import { namesOfVersion, type CellRecord, type DocumentRecord } from '../declaration.js';
import { groupByCollection } from '../writes.js';
import { createCollections } from './mongo-collections.js';
import type { ReaderRecord, VersionDocument } from './reader-records.js';
import { DISTANCE } from './version-lifecycle.js';
import type { Versions } from './versions.js';

type FillsDependencies = {
  readonly client: MongoClient;
  readonly database: Db;
  readonly readers: MongoCollection<ReaderRecord>;
  readonly leases: MongoCollection<LeaseRecord>;
  readonly versions: Versions;
  readonly clock: Clock;
};

/** The maximum number of documents that are compared, and how many one command reads. */
const COMPARED = 1_000;
const BATCH = 100;
/** Attempts to find two fills at the same position, and the milliseconds between two of them. */
const ATTEMPTS = 50;
const BETWEEN = 100;
/** Milliseconds from the removal of a record to that of its documents. Other processes know of it by then. */
const GRACE = 2_000;

/** What is stored beside the fills and depends on them. */
export type StoredWithFills = {
  /** The parked streams, whose documents name the version that parked them. */
  readonly parkedStreams: Collection;
  /** The document that says which fills are wanted: `wantedIn` reads its text, which is absent before the first decision. */
  readonly decisions: {
    readonly collection: Collection;
    readonly key: string;
    readonly wantedIn: (json: string | undefined) => WantedFills;
  };
};

/** The fill has not reached the end of the log, or is gone. */
class NotReady extends Error {
  override readonly name = 'NotReady';
}

/**
 * The second fills of read models in MongoDB. A fill is another generation of its version, with a record and a lease of its own. An
 * exchange gives each of two records the generation of the other one, in one transaction.
 */
export class MongoFills implements Fills {
  constructor(
    private readonly dependencies: FillsDependencies,
    private readonly projections: readonly Projection[],
    private readonly stored: StoredWithFills,
  ) {}

  follow(wantedNow: () => Promise<WantedFills>): Promise<void> {
    return withPortErrors(async () => {
      const wanted = await wantedNow();
      const { readers, versions } = this.dependencies;
      const sides = this.projections.flatMap(({ name, collection }) =>
        SIDES.map((beside) => ({ isWanted: wanted[beside].has(name), collection: besideOf(collection, beside) })),
      );
      const kept = new Set(sides.filter(({ isWanted }) => isWanted).map(({ collection }) => checkpointOf(collection)));
      // Also those of a former version of their read model.
      const names = sides.map(({ collection }) => collection.name);
      for (const { _id } of await readers.find({ 'declared.name': { $in: names } }).toArray()) if (!kept.has(_id)) await this.drop(_id);
      // What is kept was created as a fill.
      for (const { name, collection } of this.projections) if (wanted.fill.has(name)) await this.create(collection);
      await versions.read();
    });
  }

  progress(projection: string, beside: Beside): Promise<{ readonly position: number; readonly hasReachedEnd: boolean } | null> {
    return withPortErrors(async () => {
      const record = await this.recordOf(besideOf(this.ownOf(projection), beside));
      return record && { position: record.position, hasReachedEnd: record.inService === true };
    });
  }

  compare(projection: string, seed: number): Promise<string | null | undefined> {
    return withPortErrors(async () => {
      const own = this.ownOf(projection);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        // All reads of a session with snapshots see one state of the database.
        const session = this.dependencies.client.startSession({ snapshot: true });
        try {
          const difference = await this.findDifference(own, seed, session);
          if (difference !== undefined) return difference;
        } finally {
          await session.endSession();
        }
        await new Promise<void>((resolve) => void this.dependencies.clock.after(BETWEEN, resolve));
      }
      return undefined;
    });
  }

  exchange(projection: string, beside: Beside, state: DocumentWrite): Promise<boolean> {
    return withPortErrors(async () => {
      const own = this.ownOf(projection);
      // A process of an older release may have removed them.
      if (!(await this.hasDocuments(besideOf(own, beside)))) return false;
      const targeted = await withTargets(this.dependencies, groupByCollection([state]));
      try {
        await inTransaction(this.dependencies.client, async (session) => {
          await writeDocuments(this.dependencies, session, targeted);
          await this.exchangeRecords(own, beside, session);
        });
      } catch (error) {
        if (error instanceof NotReady || error instanceof UnexpectedRevision) return false;
        throw error;
      }
      await this.dependencies.versions.read();
      return true;
    });
  }

  private async exchangeRecords(own: Collection, beside: Beside, session: ClientSession): Promise<void> {
    const { readers } = this.dependencies;
    const [other, kept] = [besideOf(own, beside), besideOf(own, 'kept')];
    const [before, after] = [await this.recordOf(own, session), await this.recordOf(other, session)];
    // A position never goes back: a read may wait for it.
    if (!before || !after?.inService || after.position < before.position) throw new NotReady(checkpointOf(other));
    const { write: _write, lease: _lease, ...ownRecord } = before;
    const { position, generation, event } = after;
    const replaced = { _id: before._id, declared: before.declared, inService: true, position, generation, ...(event && { event }) };
    await readers.replaceOne({ _id: before._id }, replaced, { session });
    await readers.deleteOne({ _id: checkpointOf(other) }, { session });
    const { name, version, fields, cells } = kept;
    const keptRecord = {
      ...ownRecord,
      _id: checkpointOf(kept),
      declared: { name, version, fields, cells },
      of: { name: own.name, version },
    };
    await readers.replaceOne({ _id: checkpointOf(kept) }, keptRecord, { session, upsert: true });
    for (const { lease } of [before, after]) await this.revokeLease(lease, session);
    await this.renameParked({ [checkpointOf(own)]: checkpointOf(kept), [checkpointOf(other)]: checkpointOf(own) }, session);
  }

  /** The owner of a lease may not write after its record has changed. */
  private async revokeLease(name: string | undefined, session: ClientSession): Promise<void> {
    if (name === undefined) return;
    await this.dependencies.leases.updateOne({ _id: name }, { $set: { holder: null, until: null }, $inc: { fence: 1 } }, { session });
  }

  private async renameParked(names: Readonly<Record<string, string>>, session: ClientSession): Promise<void> {
    const { database, versions } = this.dependencies;
    const parked = database.collection<DocumentRecord>(namesOfVersion(await versions.of(this.stored.parkedStreams)).documents);
    const found = await parked.find({ 'f.projection': { $in: Object.keys(names) } }, { session }).toArray();
    if (found.length === 0) return;
    await parked.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
    const renamed = found.map(({ json, f, ...record }): DocumentRecord => {
      const projection = names[String(f['projection'])] ?? '';
      const changed = { ...(JSON.parse(json) as object), projection };
      return { ...record, _id: `${projection}/${String(f['stream'])}`, json: JSON.stringify(changed), f: { ...f, projection } };
    });
    await parked.insertMany(renamed, { session });
  }

  private async create(own: Collection): Promise<void> {
    const { database, readers } = this.dependencies;
    const fill = besideOf(own, 'fill');
    const known = await readers.find({ _id: { $in: [own, ...SIDES.map((side) => besideOf(own, side))].map(checkpointOf) } }).toArray();
    const left = new RegExp(`^${checkpointOf(own)}_([0-9]+)$`);
    const collections = await database.listCollections({ name: left }, { nameOnly: true }).toArray();
    // No documents that were left behind may become those of a new fill.
    const generations = [...known.map((record) => record.generation ?? 0), ...collections.map(({ name }) => Number(left.exec(name)?.[1]))];
    const generation = Math.max(0, ...generations) + DISTANCE;
    const { name, version, fields, cells } = fill;
    const first = {
      position: 0,
      declared: { name, version, fields, cells },
      of: { name: own.name, version },
      generation,
      inService: false,
    };
    await readers.updateOne({ _id: checkpointOf(fill) }, { $setOnInsert: first }, { upsert: true });
    // Another process may have created it with another generation.
    const stored = await this.recordOf(fill);
    if (stored) await createCollections(database, own, stored.generation);
  }

  /** Removes a fill, unless an operator wants it by now: another process may know more than this one. */
  private async drop(_id: string): Promise<void> {
    const { client, clock, database, readers } = this.dependencies;
    const dropped = await inTransaction(client, async (session) => {
      if (await this.isWanted(_id, session)) return null;
      const record = await readers.findOneAndDelete({ _id }, { session });
      await this.revokeLease(record?.lease, session);
      const names = record && isFill(record) ? namesOfVersion(record) : null;
      if (names) await this.renameParkedAway(_id, session);
      return names;
    });
    // What a kill leaves behind is removed when the version is prepared.
    if (dropped) clock.after(GRACE, () => void removeDocuments(database, dropped));
  }

  private async isWanted(_id: string, session: ClientSession): Promise<boolean> {
    const { database, versions } = this.dependencies;
    const { collection, key, wantedIn } = this.stored.decisions;
    const documents = database.collection<DocumentRecord>(namesOfVersion(await versions.of(collection)).documents);
    const wanted = wantedIn((await documents.findOne({ _id: key }, { session }))?.json);
    return this.projections.some(({ name, collection: own }) =>
      SIDES.some((beside) => wanted[beside].has(name) && checkpointOf(besideOf(own, beside)) === _id),
    );
  }

  private async hasDocuments(collection: Collection): Promise<boolean> {
    const record = await this.recordOf(collection);
    if (!record) return false;
    return this.dependencies.database.listCollections({ name: namesOfVersion(record).documents }, { nameOnly: true }).hasNext();
  }

  private async renameParkedAway(projection: string, session: ClientSession): Promise<void> {
    const { database, versions } = this.dependencies;
    const parked = database.collection<DocumentRecord>(namesOfVersion(await versions.of(this.stored.parkedStreams)).documents);
    await parked.deleteMany({ 'f.projection': projection }, { session });
  }

  /** Returns undefined if the two are not at the same position in the snapshot of the session. */
  private async findDifference(own: Collection, seed: number, session: ClientSession): Promise<string | null | undefined> {
    const { database } = this.dependencies;
    const [a, b] = [await this.recordOf(own, session), await this.recordOf(besideOf(own, 'fill'), session)];
    if (!a || !b || a.position !== b.position) return undefined;
    const [own_, other] = [namesOfVersion(a), namesOfVersion(b)];
    const [left, right] = [database.collection<DocumentRecord>(own_.documents), database.collection<DocumentRecord>(other.documents)];
    const [count, otherCount] = [await left.countDocuments({}, { session }), await right.countDocuments({}, { session })];
    if (count !== otherCount) return `the read model has ${count} documents, and the fill ${otherCount}`;
    const cellsOf = async (name: string): Promise<string> => {
      const cells = await database.collection<CellRecord>(name).find({}, { session }).sort({ _id: 1 }).toArray();
      return JSON.stringify(cells.map(({ _id, amount }) => [_id, amount]));
    };
    if (own.cells.length > 0 && (await cellsOf(own_.cells)) !== (await cellsOf(other.cells))) return 'their counters differ';
    for (const keys of await chosenKeys(left, count, seed, session)) {
      const read = (documents: MongoCollection<DocumentRecord>) => documents.find({ _id: { $in: [...keys] } }, { session }).toArray();
      const [ours, theirs] = [await read(left), await read(right)];
      const byKey = new Map(theirs.map((record) => [record._id, textOf(record)]));
      for (const record of ours) if (byKey.get(record._id) !== textOf(record)) return `the document ${record._id} differs`;
    }
    return null;
  }

  private async recordOf(collection: Collection, session?: ClientSession): Promise<(ReaderRecord & VersionDocument) | null> {
    const record = await this.dependencies.readers.findOne({ _id: checkpointOf(collection) }, session ? { session } : {});
    return record && isFill(record) ? record : null;
  }

  private ownOf(projection: string): Collection {
    const own = this.projections.find(({ name }) => name === projection);
    if (!own) throw new Error(`there is no projection ${projection}`);
    return own.collection;
  }
}

const removeDocuments = async (database: Db, { documents, cells }: ReturnType<typeof namesOfVersion>): Promise<void> => {
  for (const name of [documents, cells]) await database.dropCollection(name).catch(() => undefined);
};

/** Returns whether a record is that of documents. */
const isFill = (record: ReaderRecord): record is ReaderRecord & VersionDocument => record.declared !== undefined;

const textOf = ({ json, revision, f }: DocumentRecord): string => JSON.stringify([canonicalText(json), revision, f]);

/** Returns the keys of the documents to compare, in batches. The same seed chooses the same places among them. */
const chosenKeys = async (
  documents: MongoCollection<DocumentRecord>,
  count: number,
  seed: number,
  session: ClientSession,
): Promise<readonly (readonly string[])[]> => {
  const keys: string[] = [];
  // Every n-th key, from a place on that the seed chooses. The index of keys is read once, without the documents.
  const every = Math.max(1, Math.floor(count / COMPARED));
  let place = seed % every;
  for await (const { _id } of documents.find({}, { projection: { _id: 1 }, session }).sort({ _id: 1 }))
    if (place++ % every === 0) keys.push(_id);
  return Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, batch) => keys.slice(batch * BATCH, (batch + 1) * BATCH));
};
