import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { PRICED_PET } from '../../http/shop.js';
import { caller, type Call } from '../../servers/calling.js';
import { openCollector, pathsOf } from '../../servers/collector.js';
import { openReceiver } from '../../servers/receiver.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'the trace of an order through an api, topics and two workers';
/** Milliseconds. Kafka takes long to start. */
const WITHIN = 60_000;

const collector = await openCollector();
const receiver = await openReceiver();
const OPTIONS = {
  apis: 1,
  workers: ['projections,relay,timers', 'consumers,deliveries'],
  settings: { ...collector.settings, LOG_LEVEL: 'warn', EGRESS_ALLOW: 'loopback' },
};

afterAll(() => Promise.all([collector.receiver.close(), receiver.close()]));

describeIfAvailable(NAME, await startClusterIfAvailable(OPTIONS), (cluster) => {
  /** Proves contract 25.8. */
  describe(NAME, () => {
    let call: Call;

    beforeAll(async () => {
      const { token } = await openSession(cluster);
      call = caller(cluster.apis[0]?.url ?? '', token);
    });
    afterAll(() => cluster.close());

    const post = async (path: string, body: object): Promise<string> => {
      const { status, json } = await call('POST', path, { body });
      expect({ path, status }).toEqual({ path, status: 201 });
      return String(json['id']);
    };

    it('has the spans of all processes, each below its cause', async () => {
      await post('/v1/webhooks', { url: receiver.url, events: ['order.statusChanged'] });
      const petId = await post('/v1/pets', PRICED_PET);
      await post('/v1/orders', { petId });
      const { traceId } = await collector.waitFor('deliver order.statusChanged', WITHIN);
      const paths = () => pathsOf(collector.spans(), traceId);
      const first = 'POST /v1/orders > (?:ReservePet > publish petstore.pets.v1 > consume PetReserved > )?CreateOrder';
      const expected = ['append order', 'publish petstore.orders.v1 > consume OrderPlaced > deliver order.statusChanged']
        .map((steps) => new RegExp(`^${first} > ${steps}$`))
        .concat(/^POST \/v1\/orders > ReservePet > publish petstore.pets.v1 > consume PetReserved > CreateOrder$/);
      await eventually('all spans', () => expected.every((path) => paths().some((each) => path.test(each))));
      expect(paths().filter((path) => !path.startsWith('POST /v1/orders'))).toEqual([]);
    });
  });
});
