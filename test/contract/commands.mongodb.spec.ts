import { NO_DECISIONS } from '../../libs/runtime/following/following.fixtures.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Db } from 'mongodb';
import { createApi } from '../../apps/api/api.js';
import { createConsistency } from '../../apps/api/http/consistency/consistency.js';
import { EXCHANGE_INTERVAL } from '../../apps/api/http/admission/rate-limit.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { StoreModule } from '../../apps/petstore/composition/store.module.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { createCodec } from '../../libs/runtime/codec/codec.js';
import { createIdentities } from '../../libs/application/identities.js';
import { PARKED_STREAMS } from '../../libs/runtime/projecting/parked-streams.js';
import { openLeasedEngine } from '../../libs/runtime/projecting/projection-role.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { EventStore } from '../../libs/eventsourcing/ports/event-store.port.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import { NO_FAULTS } from '../../libs/eventsourcing/history.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { projections } from '../../libs/projections/projections.js';
import { eventually } from '../eventually.js';
import { PLAIN_PET } from '../http/shop.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'the api’s commands to MongoDB';
/** The command that reads pets. */
const FIND_PETS = `find ${checkpointOf(petsProjection)}_1`;
/**
 * The app name of the api's connection. The database's profile contains it, so the test can separate the api's commands from
 * those of the worker and the test.
 */
const API = 'the api under test';

/** Runs a projection that handles every append before the append returns. */
const startProjection = async (mongo: MongoUnderTest, own: EmbeddedStore, codec: ReturnType<typeof createCodec>) => {
  for (const collection of [PARKED_STREAMS, petsProjection.collection]) await mongo.projectionDocuments.prepare(collection);
  const lease = await mongo.leases.acquire('projection', 'worker', 600_000);
  if (!lease) throw new Error('the lease has another owner');
  const projecting = await openLeasedEngine({
    store: own.store,
    documents: mongo.projectionDocuments,
    codec,
    faults: NO_FAULTS,
    projector: createProjector(petsProjection),
    lease,
    onParked: (name, { reason }) => {
      throw new Error(`${name}: ${reason}`);
    },
  });
  return async (): Promise<void> => projecting.apply(await own.store.readAll(projecting.position(), 100));
};

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  /** Proves contract 10.4 and contract 11.4: neither a reached consistency token nor a rate limit costs an extra command. */
  describe(NAME, () => {
    const clock = manualClock();
    let own: EmbeddedStore;
    let worker: MongoUnderTest;
    let mongo: MongoUnderTest;
    let database: Db;
    let app: NestFastifyApplication;
    let token: string;

    beforeAll(async () => {
      own = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), clock });
      worker = await mongoForTest(url);
      mongo = await mongoForTest(url, { namespace: worker.namespace, appName: API, clock });
      database = clientForTest(url).db(mongo.database);
      const codec = createCodec(DOMAIN_EVENTS, { keys: mongo.keys, ids: own.ids, clock });
      const project = await startProjection(worker, own, codec);
      const store: EventStore = {
        readStream: (...args) => own.store.readStream(...args),
        readAll: (...args) => own.store.readAll(...args),
        subscribe: (...args) => own.store.subscribe(...args),
        async append(...args) {
          const result = await own.store.append(...args);
          await project();
          return result;
        },
      };
      const { documents, keys, counters } = mongo;
      const consistency = createConsistency({
        decisions: NO_DECISIONS,
        store,
        head: async () => own.head(),
        documents,
        projections,
        clock,
        writeWaitMilliseconds: 500,
      });
      const identities = await createIdentities(keys, own.ids);
      const tokens = await openTokens(keys, clock);
      const settings = parseSettings({ RATE_LIMIT: '1000/60s', LOG_LEVEL: 'silent' });
      app = await createApi({
        ...own,
        settings,
        module: StoreModule.on({
          ...own,
          codec,
          identities,
          keys,
          writers: 'many processes',
          store: consistency.store,
          documents: consistency.documents,
        }),
        tokens,
        health: [],
        logger: createLog('silent'),
        consistency,
        counters,
      });
      await app.init();
      for (const { collection } of projections) await documents.prepare(collection);
      token = await tokens.sign({ subject: 'staff', scopes: ['write:pets'], expiresInSeconds: 3600 });
      await worker.putInService(petsProjection.collection);
      await request('POST', '/v1/pets', PLAIN_PET);
    });
    afterAll(async () => {
      await app.close();
      await mongo.close();
      await worker.drop();
      await own.close();
    });

    const request = async (method: 'GET' | 'POST', path: string, payload?: object): Promise<{ readonly id: string }> => {
      const headers = { ...(method === 'POST' && { authorization: `Bearer ${token}` }) };
      const response = await app.inject({ method, url: path, headers, ...(payload && { payload }) });
      if (response.statusCode >= 300) throw new Error(`${method} ${path} failed with ${response.statusCode}: ${response.body}`);
      return response.json<{ id: string }>();
    };

    /** Returns the commands that the api sends during `work`, each with its collection, for example `find pets_v3_1`. */
    const commandsOf = async (
      work: () => Promise<unknown>,
      isDone = (_: readonly string[]): boolean => true,
    ): Promise<readonly string[]> => {
      const profile = database.collection('system.profile');
      await database.command({ profile: 2 });
      const recorded = async (): Promise<readonly string[]> => {
        const entries = await profile.find({ appName: API }, { sort: { ts: 1 } }).toArray();
        return entries.map(
          ({ op, ns, command }) => `${op === 'update' ? 'update' : Object.keys(command as object)[0]} ${String(ns).split('.')[1]}`,
        );
      };
      await work();
      await eventually('the commands', async () => isDone(await recorded()));
      await database.command({ profile: 0 });
      const commands = await recorded();
      await profile.drop();
      return commands;
    };

    const post = (): Promise<{ readonly id: string }> => request('POST', '/v1/pets', PLAIN_PET);

    it('are one to read a pet', async () => {
      const { id } = await post();
      for (let times = 0; times < 3; times++) expect(await commandsOf(() => request('GET', `/v1/pets/${id}`))).toEqual([FIND_PETS]);
    });

    describe('with an index in memory', () => {
      const criteria = { medical: { vaccinated: true } };
      const list = (query: string) => commandsOf(() => request('GET', `/v1/pets?limit=2&${query}`));
      const search = () => commandsOf(() => request('POST', '/v1/pets/search', { criteria, sort: { field: 'ageMonths', order: 'DESC' } }));
      beforeAll(async () => {
        await request('POST', '/v1/pets', { ...PLAIN_PET, medicalInfo: { vaccinated: true } });
      });

      it('are one for a list after a change, for the changed pets: its total needs none', async () => {
        // MongoDB counts until the index is made, and on a crowded machine if the index is late.
        await eventually('a list after a change without a command for its total', async () => {
          await post();
          return (await list('species=DOG')).join() === FIND_PETS;
        });
        expect(await list('species=DOG')).toEqual([]);
        expect(await list('species=DOG&page=2')).toEqual([FIND_PETS]);
      });

      it('are one for a search by many criteria after a change, and none for the same search', async () => {
        await eventually('a search after a change without a command for its total', async () => {
          await request('POST', '/v1/pets', { ...PLAIN_PET, medicalInfo: { vaccinated: true }, ageMonths: 200 });
          return (await search()).join() === FIND_PETS;
        });
        expect(await search()).toEqual([]);
      });
    });

    it('are one read of the checkpoint to create a pet', async () => {
      expect(await commandsOf(post)).toEqual(['find readers']);
    });

    it('include no wait for a read with a consistency token that is already reached', async () => {
      const response = await app.inject({
        method: 'POST',
        url: '/v1/pets',
        headers: { authorization: `Bearer ${token}` },
        payload: PLAIN_PET,
      });
      const headers = { 'consistency-token': String(response.headers['consistency-token']) };
      const { id } = response.json<{ id: string }>();
      expect(await commandsOf(() => app.inject({ url: `/v1/pets/${id}`, headers }))).toEqual([FIND_PETS]);
    });

    it('include one exchange of rate-limit counts and one read of the versions every quarter of a second, for any number of requests', async () => {
      const { id } = await post();
      // This exchange also reads the number of stored counts, at most once a second. The measured exchange then does not read it.
      await commandsOf(
        async () => clock.advance(EXCHANGE_INTERVAL),
        (all) => all.includes('find rate_limit_counts') && all.includes('find readers'),
      );
      const commands = await commandsOf(
        async () => {
          for (let times = 0; times < 20; times++) await request('GET', `/v1/pets/${id}`);
          clock.advance(EXCHANGE_INTERVAL);
        },
        (all) => all.length >= 23,
      );
      expect(commands.filter((command) => command !== FIND_PETS).sort()).toEqual([
        'find rate_limit_counts',
        'find readers',
        'update rate_limit_counts',
      ]);
    });
  }),
);
