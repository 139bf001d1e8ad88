import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom, createSamplePet } from '../../apps/petstore/seeding/sample-pets.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { PETS } from '../../libs/application/aggregates.js';
import type { PetId } from '../../libs/domain/ids.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { openMongo, type Mongo } from '../../libs/adapters/mongodb/index.js';
import { groupByCollection } from '../../libs/adapters/mongodb/documents/writes.js';
import { databaseIn } from '../../libs/adapters/mongodb/connection/connection.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { Aggregates } from '../../libs/eventsourcing/handle.js';
import type { ReadCodec } from '../../libs/eventsourcing/event-codec.js';
import { NO_FAULTS } from '../../libs/eventsourcing/history.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import { PARKED_STREAMS } from '../../libs/runtime/projecting/parked-streams.js';
import { ProjectionWorker } from '../../libs/runtime/projecting/projection-worker.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { silentLog } from '../silent-log.js';
import { startMongod } from '../servers/services/mongod.js';
import type { BareComparison } from './bare-comparison.js';
import { indexesOf } from './projecting.bench.js';

const IN_FLIGHT = 512;
const context = { tenant: 'shared', actor: 'bench', correlationId: 'bench', causationId: 'bench' };

/** Fills a new folder with pets of one event each, so that it has as many documents as events. Returns the folder. */
export const folderOfPets = async (pets: number): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const store = await openEmbeddedStore({ directory, log: createLog('warn') });
  const aggregates = new Aggregates(store.store, store.codec);
  const random = createRandom(7);
  let listed = 0;
  const listPets = async (): Promise<void> => {
    while (listed < pets) {
      const number = ++listed;
      if (number % 100_000 === 0) process.stderr.write(`${number.toLocaleString('en-US')} pets listed\n`);
      const petId = store.identities.of<PetId>('bench', { tenant: 'shared', actor: 'bench', requestId: 'bench' }, null).id;
      const { details } = createSamplePet(random);
      const command = { type: 'ListPet', data: { petId, details, status: 'AVAILABLE', number } } as const;
      const outcome = await aggregates.handle(PETS, petId, command, context, { isNew: true });
      if (isRejection(outcome)) throw new Error(`rejected: ${outcome.rejected}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, listPets));
  await store.close();
  return directory;
};

/** The speed of a rebuild, and the largest memory of its process. */
export type RebuildSpeed = { readonly eventsPerSecond: number; readonly mebibytes: number };

/** Rebuilds all read models of a folder in a process of its own, so that its memory is measured alone. */
export const rebuildInProcess = (directory: string): Promise<RebuildSpeed> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('rebuild-once.js', import.meta.url)), directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output) as RebuildSpeed) : reject(new Error(`rebuild: exit ${String(code)}`)),
    );
  });

const NAMESPACE = 'rebuild';
/** Number of events per batch, as in a worker. */
const BATCH = 2_000;

/**
 * Fills the read model of pets in MongoDB from a folder's log. Compares this with a plain program that writes the same documents
 * by bulkWrite, without transactions. The two take turns after each batch.
 */
export const mongoRebuild = async (directory: string): Promise<BareComparison> => {
  const store = await openEmbeddedStore({ directory, log: createLog('warn') });
  const mongod = await startMongod();
  const mongo = await openMongo({ url: mongod.url, namespace: NAMESPACE, clock: systemClock, log: silentLog });
  const client = await new MongoClient(mongod.url, { w: 'majority', journal: true }).connect();
  try {
    const projector = createProjector(petsProjection);
    const worker = await openWorker(mongo, projector, store.codec);
    const indexes = await indexesOf(client, databaseIn(mongod.url, NAMESPACE), checkpointOf(projector.collection));
    const database = client.db('bench_bare');
    const [pets, cells] = [
      await database.createCollection<{ _id: string }>('pets'),
      await database.createCollection<{ _id: string }>('cells'),
    ];
    if (indexes.length > 0) await pets.createIndexes(indexes);
    const spent = { ours: 0, bare: 0 };
    let position = 0;
    for (let page = await store.store.readAll(0, BATCH); page.length > 0; page = await store.store.readAll(position, BATCH)) {
      const { writes } = projector.project(
        page.map((event) => store.codec.decode(event)),
        () => null,
        () => false,
      );
      const [bare] = groupByCollection(writes);
      const begun = performance.now();
      await worker.apply(page);
      const between = performance.now();
      if (bare) await pets.bulkWrite(bare.documents as never, { ordered: false });
      if (bare) await cells.bulkWrite(bare.cells as never, { ordered: false });
      spent.ours += between - begun;
      spent.bare += performance.now() - between;
      position = page.at(-1)?.position ?? position;
    }
    const rate = (milliseconds: number): number => (position / milliseconds) * 1000;
    return {
      name: 'pets into MongoDB',
      goal: 0.7,
      ours: rate(spent.ours),
      bare: rate(spent.bare),
      bareProgram: 'bulkWrite of the same documents',
    };
  } finally {
    await client.close();
    await mongo.close();
    await mongod.close();
    await store.close();
  }
};

const openWorker = async (mongo: Mongo, projector: ReturnType<typeof createProjector>, codec: ReadCodec): Promise<ProjectionWorker> => {
  for (const each of [PARKED_STREAMS, projector.collection]) await mongo.projectionDocuments.prepare(each);
  await mongo.projectionDocuments.clear(projector.collection);
  const lease = await mongo.leases.acquire('bench', 'bench', 3_600_000);
  if (!lease) throw new Error('the lease has another owner');
  return ProjectionWorker.open({
    store: { readStream: async () => [] },
    documents: mongo.projectionDocuments,
    ...{ codec, faults: NO_FAULTS, projector, lease },
    onParked: (name, { reason }) => {
      throw new Error(`${name}: ${reason}`);
    },
  });
};
