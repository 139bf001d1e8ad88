import { spawn } from 'node:child_process';
import { MongoClient } from 'mongodb';
import { fileURLToPath } from 'node:url';
import { createSamplePet } from '../../apps/petstore/seeding/sample-pets.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { PETS } from '../../libs/application/aggregates.js';
import type { PetId } from '../../libs/domain/ids.js';
import { openMongo } from '../../libs/adapters/mongodb/index.js';
import { groupByCollection } from '../../libs/adapters/mongodb/documents/writes.js';
import { databaseIn } from '../../libs/adapters/mongodb/connection/connection.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import { PARKED_STREAMS } from '../../libs/runtime/projecting/parked-streams.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { silentLog } from '../silent-log.js';
import { startMongod } from '../servers/services/mongod.js';
import type { BareComparison } from './bare-comparison.js';
import { context, folderOf, idsOf, throwIfRejected } from './log.bench.js';
import { indexesOf, openEngine } from './projecting.bench.js';

/**
 * Fills a new folder with pets of one event each, so that it has as many documents as events. Each has a description of at least
 * `characters`. Returns the folder.
 */
export const folderOfPets = (pets: number, characters = 0): Promise<string> =>
  folderOf(pets, async (store, aggregates, random, number) => {
    const petId = idsOf(store)<PetId>();
    const sample = createSamplePet(random).details;
    const details = {
      ...sample,
      description: (sample.description ?? '').padEnd(characters, 'walks well on the lead and likes children; '),
    };
    const command = { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number } } as const;
    await throwIfRejected(aggregates.handle(PETS, petId, command, context, { isNew: true }));
  });

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
    for (const each of [PARKED_STREAMS, projector.collection]) await mongo.projectionDocuments.prepare(each);
    await mongo.projectionDocuments.clear(projector.collection);
    const engine = await openEngine(mongo, mongo.projectionDocuments, projector, store.codec);
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
      await engine.apply(page);
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
