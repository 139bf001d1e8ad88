import { afterAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { makeToken } from '../../../apps/petstore/commands/token.command.js';
import { databaseIn } from '../../../libs/adapters/mongodb/connection/connection.js';
import { checkpointOf } from '../../../libs/eventsourcing/ports/documents.port.js';
import { petsProjection } from '../../../libs/projections/pets.projection.js';
import { parseSettings } from '../../../libs/settings/settings.js';
import { startClusterIfAvailable } from '../../journeys/distributed/journey.js';
import { STAFF_SCOPES } from '../../servers/process.js';
import { freePorts } from '../../servers/services/free-ports.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openObservation, type Observation } from './observation.js';

const ALL_ROLES = 'projections,relay,consumers,deliveries,timers';
const port = await freePorts();
const cluster = await startClusterIfAvailable({
  workers: [ALL_ROLES, ALL_ROLES],
  settings: { LOG_LEVEL: 'warn', EGRESS_PROXY: `http://127.0.0.1:${port}` },
});

describeIfAvailable('the observer of the drills, on local processes', cluster, (servers) => {
  const { apis, workers, settings, mongod, eventStore, kafka } = servers;
  describe('the observer of the drills', () => {
    let closeObservation = async (): Promise<void> => undefined;
    afterAll(async () => {
      await closeObservation();
      await servers.close();
    });

    let observation: Observation;

    it('finds nothing lost, doubled or out of order when an API and a worker are killed under load', async () => {
      observation = await openObservation({
        DRILLS_APIS: apis.map(({ url }) => url).join(),
        DRILLS_PROXY_PORT: String(port),
        DRILLS_PROXY_HOST: '127.0.0.1',
        EVENTSTOREDB_URL: eventStore.url,
        MONGODB_URL: mongod.url,
        MONGODB_ROOT_URL: mongod.url,
        KAFKA_BROKERS: kafka.brokers,
      });
      closeObservation = () => observation.close();
      const token = await makeToken(parseSettings(settings), { scope: STAFF_SCOPES, subject: 'drills', expiresIn: 3_600 });
      await observation.connect({ token });
      await observation.begin();
      await observation.waitForAcknowledged(50);
      const since = await observation.now();
      await Promise.all([apis[1]?.kill(), workers[0]?.kill()]);
      await observation.waitForAcknowledged(50);
      await Promise.all([apis[1]?.restart(), workers[0]?.restart()]);
      expect(await observation.waitForRecovery(since)).toBeGreaterThan(0);
      await observation.waitForAcknowledged(50);
      const account = await observation.finish();
      process.stderr.write(`${JSON.stringify(account)}\n`);
      expect(account).toMatchObject({ lost: [], doubled: [], disordered: [], others: [], serverErrors: [], unsettled: 0 });
      expect(account.acknowledged).toBeGreaterThanOrEqual(150);
      expect(account.webhooks).toBeGreaterThan(0);
      expect(account.messages).toBeGreaterThan(150);
    }, 240_000);

    it('reports a charge and a pet that were deleted from the database', async () => {
      const client = await new MongoClient(mongod.url).connect();
      const database = client.db(databaseIn(mongod.url, ''));
      try {
        const charge = await database.collection<{ _id: string }>('gateway_charges').findOneAndDelete({});
        const name = checkpointOf(petsProjection.collection);
        const reader = await database.collection<{ _id: string; generation: number }>('readers').findOne({ _id: name });
        const pet = await database.collection<{ _id: string }>(`${name}_${String(reader?.generation)}`).findOneAndDelete({});
        await observation.begin();
        await observation.waitForAcknowledged(10);
        const { doubled, others } = await observation.finish();
        expect(doubled).toContain(`payment-${charge?._id} was charged 0 times`);
        expect(others.join()).toContain(String(pet?._id));
      } finally {
        await client.close();
      }
    }, 120_000);
  });
});
