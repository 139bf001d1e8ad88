import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openMongo, type Mongo } from '../../libs/adapters/mongodb/index.js';
import { groupByCollection } from '../../libs/adapters/mongodb/documents/writes.js';
import { databaseIn } from '../../libs/adapters/mongodb/connection/connection.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { PARKED_STREAMS } from '../../libs/runtime/projecting/parked-streams.js';
import type { ProjectionEngine } from '../../libs/runtime/projecting/projection-engine.js';
import { openLeasedEngine } from '../../libs/runtime/projecting/projection-role.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { checkpointOf, type Checkpoint, type Documents, type DocumentWrite } from '../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../libs/eventsourcing/event-codec.js';
import { NO_FAULTS } from '../../libs/eventsourcing/history.js';
import type { Projector } from '../../libs/eventsourcing/projection.js';
import { categoryOf } from '../../libs/eventsourcing/message.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { median } from './load.js';
import type { BareComparison } from './bare-comparison.js';
import { silentLog } from '../silent-log.js';

const NAMESPACE = 'projecting';
const BATCH = 500;
const ROUNDS = 5;

/**
 * Measures how fast a projection writes the events of pets to MongoDB. Compares it with a plain program, which writes the same
 * bulkWrites and a checkpoint in transactions. The rounds of the two alternate.
 */
export const projectingBench = async (url: string, events: readonly StoredEvent[], codec: ReadCodec): Promise<BareComparison> => {
  const own = events.filter(({ stream }) => categoryOf(stream) === petsProjection.category);
  const mongo = await openMongo({ url, namespace: NAMESPACE, clock: systemClock, log: silentLog });
  const client = await new MongoClient(url, { w: 'majority', journal: true }).connect();
  const projector = createProjector(petsProjection);
  const { collection } = projector;
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (const each of [PARKED_STREAMS, collection]) await mongo.projectionDocuments.prepare(each);
  for (let round = 0; round <= ROUNDS; round++) {
    await mongo.projectionDocuments.clear(collection);
    const applied: (readonly DocumentWrite[])[] = [];
    const documents = recording(mongo.projectionDocuments, applied);
    const engine = await openEngine(mongo, documents, projector, codec);
    const begun = performance.now();
    for (let from = 0; from < own.length; from += BATCH) await engine.apply(own.slice(from, from + BATCH));
    const ours = performance.now() - begun;
    const written = applied.flat().filter(({ kind }) => kind !== 'increment').length;
    const bare = await bareRound(client, applied, round, [
      ...(await indexesOf(client, databaseIn(url, NAMESPACE), checkpointOf(collection))),
    ]);
    // The first round is a warm-up.
    if (round > 0) {
      rates.ours.push((written / ours) * 1000);
      rates.bare.push((written / bare) * 1000);
    }
  }
  await mongo.close();
  await client.close();
  return {
    name: 'projecting pets into MongoDB, documents/s',
    goal: 0.6,
    ours: median(rates.ours),
    bare: median(rates.bare),
    bareProgram: 'a transaction of the same bulkWrites and a checkpoint',
  };
};

/** Opens the engine of a projection with a lease of its own. It throws if it has to park a stream. */
export const openEngine = async (
  { leases }: Pick<Mongo, 'leases'>,
  documents: Documents,
  projector: Projector,
  codec: ReadCodec,
): Promise<ProjectionEngine> => {
  const lease = await leases.acquire(`bench-${randomUUID()}`, 'bench', 3_600_000);
  if (!lease) throw new Error('the lease has another owner');
  return openLeasedEngine({
    store: { readStream: async () => [] },
    ...{ documents, codec, faults: NO_FAULTS, projector, lease },
    onParked: (name, { reason }) => {
      throw new Error(`${name}: ${reason}`);
    },
  });
};

const recording = (documents: Documents, applied: (readonly DocumentWrite[])[]): Documents =>
  Object.assign(delegateTo(documents), {
    apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint) {
      applied.push(writes);
      return documents.apply(writes, checkpoint);
    },
  });

const delegateTo = (documents: Documents): Documents => ({
  prepare: (...args) => documents.prepare(...args),
  get: (...args) => documents.get(...args),
  find: (...args) => documents.find(...args),
  page: (...args) => documents.page(...args),
  texts: (...args) => documents.texts(...args),
  count: (...args) => documents.count(...args),
  sum: (...args) => documents.sum(...args),
  apply: (...args) => documents.apply(...args),
  use: (...args) => documents.use(...args),
  checkpoint: (...args) => documents.checkpoint(...args),
  clear: (...args) => documents.clear(...args),
});

/** The indexes that the adapter created for the newest generation of a collection. */
export const indexesOf = async (client: MongoClient, databaseName: string, name: string) => {
  const database = client.db(databaseName);
  const collections = await database.listCollections({ name: new RegExp(`^${name}_[0-9]+$`) }).toArray();
  const newest =
    collections
      .map((collection) => collection.name)
      .toSorted((a, b) => Number(a.split('_').at(-1)) - Number(b.split('_').at(-1)))
      .at(-1) ?? '';
  return (await database.collection(newest).indexes())
    .filter((index) => index.name !== '_id_')
    .map(({ key, name: of }) => ({ key, ...(of !== undefined && { name: of }) }));
};

const bareRound = async (
  client: MongoClient,
  applied: readonly (readonly DocumentWrite[])[],
  round: number,
  indexes: Awaited<ReturnType<typeof indexesOf>>,
): Promise<number> => {
  const database = client.db('bench_bare');
  await database.dropDatabase();
  const pets = await database.createCollection<{ _id: string }>(`pets_${round}`);
  const checkpoints = await database.createCollection<{ _id: string; position: number }>('checkpoints');
  if (indexes.length > 0) await pets.createIndexes(indexes);
  const cells = await database.createCollection<{ _id: string }>(`cells_${round}`);
  const batches = applied.map((writes) => groupByCollection(writes)[0]).filter((writes) => writes !== undefined);
  const begun = performance.now();
  for (const [position, writes] of batches.entries())
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await pets.bulkWrite(writes.documents as never, { session, ordered: false });
        if (writes.cells.length > 0) await cells.bulkWrite(writes.cells as never, { session, ordered: false });
        await checkpoints.updateOne({ _id: 'bench' }, { $set: { position } }, { session, upsert: true });
      }),
    );
  return performance.now() - begun;
};
