import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { openShop, type Shop } from '../../http/shop.js';
import { openReceiver, type Receiver } from '../../servers/receiver.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { serviceOnCluster, type TestPetstore } from '../../servers/test-petstore.js';
import { webhookJourney } from '../webhook-journey.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'an order in the distributed profile';
const PETS = 40;

const found = await startClusterIfAvailable({
  apis: 1,
  workers: ['projections,relay,consumers,timers', 'deliveries', 'deliveries'],
  // The projections are never stopped, so a write waits for the read model on a busy machine, too (contract 10.2).
  settings: { LOG_LEVEL: 'warn', WRITE_WAIT: '20s' },
});

describeIfAvailable(NAME, found, (cluster) => {
  const open = (): Promise<TestPetstore> => serviceOnCluster({ url: cluster.apis[0]?.url ?? '', settings: cluster.settings });
  afterAll(() => cluster.close());

  webhookJourney(NAME, open);

  /** Proves contract 20.10 and contract 24.6. */
  describe('two processes with the role deliveries, one of which is killed', () => {
    let shop: Shop;
    let service: TestPetstore;
    let receiver: Receiver;
    beforeAll(async () => {
      service = await open();
      [shop, receiver] = await Promise.all([openShop(service), openReceiver()]);
    });
    afterAll(async () => {
      await receiver.close();
      await service.stop();
    });

    it('deliver all webhooks', async () => {
      const acknowledged = new Set<unknown>();
      receiver.respondWith(async ({ headers }) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        acknowledged.add(headers['webhook-id']);
        return { status: 204 };
      });
      const body = { url: receiver.url, events: ['pet.statusChanged'] };
      expect((await shop.request('POST', '/v1/webhooks', { token: await service.token('write:webhooks'), body })).status).toBe(201);
      const listed = Array.from({ length: PETS }, () => shop.listPet());
      await eventually('some deliveries', () => acknowledged.size >= 3);
      await cluster.workers[1]?.kill();
      await Promise.all(listed);
      await eventually('all deliveries', () => acknowledged.size === PETS);
    });
  });
});
