import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STUCK_KINDS } from '../../../libs/application/operations/stuck.js';
import { ORDER_STATUSES } from '../../../libs/domain/orders/order.events.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import { ALL_ROLES, type Member } from '../../servers/cluster.js';
import { samplesOf, scrape } from '../../servers/prometheus-text.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'the metrics of an api and a worker';
/** Milliseconds. Measured values are some seconds old, and Kafka takes long to start. */
const WITHIN = 60_000;

const OPTIONS = { apis: 1, workers: [ALL_ROLES], settings: { LOG_LEVEL: 'info', METRICS_PORT: '0' } };

/** Returns the URL of the metrics of a process. Finds it in the log of the process. */
const metricsUrlOf = (member: Member | undefined): string => /"metrics":"([^"]+)"/.exec(member?.log() ?? '')?.[1] ?? '';

/** Returns the values of a process's metric. */
const valuesOf = async (member: Member | undefined, name: string): Promise<readonly number[]> =>
  samplesOf(await scrape(metricsUrlOf(member)), name).map(({ value }) => value);

describeIfAvailable(NAME, await startClusterIfAvailable(OPTIONS), (cluster) => {
  /** Proves contract 25.6. */
  describe(NAME, () => {
    const [api] = cluster.apis;
    const [worker] = cluster.workers;
    let call: Call;

    beforeAll(async () => {
      const { token } = await openSession(cluster);
      call = caller(api?.url ?? '', token);
    });
    afterAll(() => cluster.close());

    const addPet = async (): Promise<void> =>
      expect((await call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 3 } })).status).toBe(201);

    it('count the requests, commands and appends of the process', async () => {
      await addPet();
      expect(await valuesOf(api, 'petstore_http_requests_total')).toContain(1);
      expect(await valuesOf(api, 'petstore_commands_total')).toContain(1);
      expect(await valuesOf(worker, 'petstore_http_requests_total')).toEqual([]);
    });

    it('show the pool of connections to MongoDB', async () => {
      for (const member of [api, worker]) {
        const [open = 0] = await valuesOf(member, 'petstore_pool_connections');
        expect(open).toBeGreaterThan(0);
        expect(await valuesOf(member, 'petstore_pool_waiting')).toEqual([0]);
      }
    });

    it('show in both processes that the read models and the relay reach the end of the log', async () => {
      for (const member of [api, worker])
        for (const name of ['petstore_projection_lag_events', 'petstore_relay_lag_events', 'petstore_relay_lag_seconds'])
          await eventually(name, async () => (await valuesOf(member, name)).every((value) => value === 0));
      expect((await valuesOf(api, 'petstore_projection_lag_seconds')).length).toBeGreaterThan(3);
      expect(new Set(await valuesOf(worker, 'petstore_parked_streams'))).toEqual(new Set([0]));
    });

    it('show the lag of the consumers of the worker', async () => {
      await eventually('the consumers', async () => (await valuesOf(worker, 'petstore_consumer_lag_messages')).join() === '0,0');
      expect(await valuesOf(worker, 'petstore_parked_keys')).toEqual([0, 0]);
      expect(await valuesOf(api, 'petstore_consumer_lag_messages')).toEqual([]);
    });

    it('show the numbers of orders and of what is stuck, in the api only', async () => {
      for (const [name, series] of [
        ['petstore_orders', ORDER_STATUSES],
        ['petstore_stuck', STUCK_KINDS],
        ['petstore_stuck_oldest_seconds', STUCK_KINDS],
      ] as const) {
        // The first search may take longer than a second. Its result is then shown by a later scrape.
        const values = await eventually(name, async () => {
          const now = await valuesOf(api, name);
          return now.length > 0 ? now : null;
        });
        expect(values).toEqual(series.map(() => 0));
        expect(await valuesOf(worker, name)).toEqual([]);
      }
    });

    it('show the lag of the relay while Kafka is down, in events and in seconds, and no lag of unknown consumers', async () => {
      await cluster.kafka.kill();
      for (let pets = 0; pets < 3; pets++) await addPet();
      for (const member of [api, worker]) {
        const [events] = await eventually('the relay to be behind', async () => {
          const lag = await valuesOf(member, 'petstore_relay_lag_events');
          return lag[0] === 3 ? lag : null;
        });
        expect(events).toBe(3);
        const [seconds = 0] = await valuesOf(member, 'petstore_relay_lag_seconds');
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(WITHIN / 1_000);
        expect(new Set(await valuesOf(member, 'petstore_projection_lag_events'))).toEqual(new Set([0]));
      }
      await eventually('the consumers to be unknown', async () => (await valuesOf(worker, 'petstore_consumer_lag_messages')).length === 0);
      await cluster.kafka.restart();
      await eventually('the relay to catch up', async () => (await valuesOf(api, 'petstore_relay_lag_events'))[0] === 0);
    });
  });
});
