import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkpointOf } from '../../../libs/eventsourcing/ports/documents.port.js';
import { ordersProjection } from '../../../libs/projections/orders.projection.js';
import { paymentsProjection } from '../../../libs/projections/payments.projection.js';
import { petsProjection } from '../../../libs/projections/pets.projection.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Member } from '../../servers/cluster.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { audit } from './audit.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { readinessOf } from './readiness.js';

const NAME = 'two workers of each role';
const [PETS, ORDERS, PAYMENTS] = [checkpointOf(petsProjection), checkpointOf(ordersProjection), checkpointOf(paymentsProjection)];
/** Milliseconds. A lease expires after 5 s, and a standby checks every second (contract 24.6). */
const MOVED_WITHIN = 8_000;
const found = await startClusterIfAvailable({
  workers: ['projections', 'projections', 'relay,consumers,timers', 'relay,consumers,timers'],
});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 24.6. */
  describe(NAME, () => {
    const session = openSession(cluster);
    let call: Call;
    let api: string;

    beforeAll(async () => {
      api = cluster.apis[0]?.url ?? '';
      call = caller(api, (await session).token);
    });
    afterAll(() => cluster.close());

    const ownersOf = async (name: string): Promise<readonly Member[]> => {
      const owning = cluster.workers.map(async (worker) => ((await ownsOf(worker)).includes(name) ? [worker] : []));
      return (await Promise.all(owning)).flat();
    };
    const ownsOf = (worker: Member): Promise<readonly string[]> =>
      readinessOf(worker.url)
        .then(({ owns }) => owns)
        .catch(() => []);
    const ownerOf = (name: string) => eventually(`an owner of ${name}`, async () => (await ownersOf(name))[0], 10_000);
    /** Buys a pet and waits until the order is approved. That needs every role. */
    const buyPet = async (): Promise<void> => {
      const listed = await call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE' } });
      const ordered = await call('POST', '/v1/orders', { body: { petId: listed.json['id'] } });
      const order = `/v1/orders/${String(ordered.json['id'])}`;
      const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
      const paid = await call('POST', `${order}/payment`, { body: { amount: '10.00', currency: 'USD', source } });
      expect([listed.status, ordered.status, paid.status]).toEqual([201, 201, 201]);
      await eventually('the order to be approved', async () => (await call('GET', order)).json['status'] === 'approved', 20_000);
    };

    it('share the leases, so that each read model and the relay have one owner', async () => {
      for (const name of [PETS, ORDERS, PAYMENTS, 'relay']) {
        await ownerOf(name);
        expect([name, (await ownersOf(name)).length]).toEqual([name, 1]);
      }
      await buyPet();
    });

    it.each([
      ['a read model', PETS, 'kill'],
      ['the relay', 'relay', 'kill'],
      ['a read model', ORDERS, 'stop'],
      ['the relay', 'relay', 'stop'],
    ] as const)('take over the leases of the owner of %s (%s) after its %s', async (_, name, end) => {
      const owner = await ownerOf(name);
      const left = await ownsOf(owner);
      await owner[end]();
      const begun = performance.now();
      await eventually(
        'other owners',
        async () => (await Promise.all(left.map(ownersOf))).every((owners) => owners.length === 1 && owners[0] !== owner),
        MOVED_WITHIN,
      );
      printLine(`${left.join(', ')} moved ${Math.round(performance.now() - begun)} ms after the ${end} of the owner`);
      await buyPet();
      await owner.restart();
      expect((await ownsOf(owner)).filter((one) => left.includes(one))).toEqual([]);
    });

    it('have lost and repeated no work', async () => {
      const { token, recorder } = await session;
      await audit(cluster, { recorder, token, repeated: [] });
    });
  });
});
