import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel, Partitioners, type Admin, type Consumer } from 'kafkajs';
import { contracts, topicsOf } from '../../../libs/contracts/contracts.js';
import { eventually } from '../../eventually.js';
import { printLine } from '../../print-line.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Cluster } from '../../servers/cluster.js';
import { runPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'the keys of topics that get more partitions';
const TOPIC = 'petstore.pets.v1';
const PETS = 30;
/** Milliseconds within which consumers find new partitions (contract 22.7). */
const FOUND_WITHIN = 10_000;
const PET = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE', price: '10.00', currency: 'USD' };

type Seen = { readonly key: string; readonly sequence: number; readonly partition: number; readonly at: number };

const found = await startClusterIfAvailable({ apis: 1, workers: ['projections,relay,consumers,timers', 'relay,consumers'] });

describeIfAvailable(NAME, found, (cluster: Cluster) => {
  /** Proves contract 22.7. */
  describe(NAME, () => {
    const kafka = new Kafka({ brokers: cluster.kafka.brokers.split(','), logLevel: logLevel.NOTHING });
    const seen: Seen[] = [];
    let admin: Admin;
    let reader: Consumer;
    let call: Call;
    let pets: readonly string[];

    beforeAll(async () => {
      admin = kafka.admin();
      await admin.connect();
      call = caller(cluster.apis[0]?.url ?? '', (await openSession(cluster)).token);
      pets = await Promise.all(
        Array.from({ length: PETS }, async () => String((await call('POST', '/v1/pets', { body: PET })).json['id'])),
      );
      reader = kafka.consumer({ groupId: 'reader', readUncommitted: false, maxWaitTimeInMs: 50, metadataMaxAge: 500 });
      await reader.connect();
      await reader.subscribe({ topics: [TOPIC], fromBeginning: true });
      await reader.run({
        eachMessage: async ({ partition, message: { key, headers, timestamp } }) =>
          void seen.push({ key: String(key), sequence: Number(headers?.['ce_sequence']), partition, at: Number(timestamp) }),
      });
    });
    afterAll(async () => {
      await reader.disconnect();
      await admin.disconnect();
      await cluster.close();
    });

    const change = async (id: string, ageMonths: number): Promise<void> =>
      expect((await call('PUT', `/v1/pets/${id}`, { body: { ...PET, ageMonths } })).status).toBe(200);
    const untilSequence = (sequence: number) =>
      eventually(`message ${sequence} of each pet`, () =>
        pets.every((id) => seen.some((message) => message.key === id && message.sequence >= sequence)),
      );
    const partitionsOf = (id: string): readonly number[] => [
      ...new Set(seen.filter(({ key }) => key === id).map(({ partition }) => partition)),
    ];
    const readiness = async (url = ''): Promise<{ warnings: string[]; consumers: Record<string, { behind: number }> }> =>
      (await (await fetch(`${url}/health/ready`)).json()) as never;
    const spread = (partitions: string) =>
      runPetstore(['topics', 'spread', '--partitions', partitions], { dataDir: '', env: cluster.settings });

    it('keep their partition when somebody adds partitions at the brokers', async () => {
      await untilSequence(1);
      await admin.createPartitions({ topicPartitions: topicsOf(contracts).map((topic) => ({ topic, count: 12 })) });
      for (const id of pets) await change(id, 4);
      await untilSequence(2);
      expect(pets.map((id) => partitionsOf(id).length)).toEqual(pets.map(() => 1));
      expect(Math.max(...seen.map(({ partition }) => partition))).toBeLessThan(6);
      const choose = Partitioners.DefaultPartitioner();
      const partitionMetadata = Array.from({ length: 12 }, (_, partitionId) => ({ partitionId })) as never;
      const others = pets.filter(
        (key) => choose({ topic: TOPIC, partitionMetadata, message: { key, value: null } }) !== partitionsOf(key)[0],
      );
      printLine(`6 -> 12 partitions: ${others.length} of ${PETS} keys would have changed partition, none did`);
      expect(others.length).toBeGreaterThan(0);
    });

    it('are reported as spread over fewer partitions, in health', async () => {
      const worker = await cluster.startWorker('relay');
      const { warnings } = await eventually('the check', async () =>
        (await readiness(worker.url)).warnings.length > 0 ? readiness(worker.url) : null,
      );
      expect(warnings).toHaveLength(topicsOf(contracts).length);
      expect(warnings).toContain(
        `topic ${TOPIC}: it has 12 partitions, but keys are spread over the first 6, so that they stay in order; ` +
          'to use all of them run: petstore topics spread --partitions 12',
      );
      await worker.close();
    });

    it('move in order, and our consumers find the new partitions within 10 s', async () => {
      let isMoving = true;
      const changing = (async () => {
        let age = 5;
        for (; isMoving; age++) for (const id of pets) await change(id, age);
        return age;
      })();
      const started = performance.now();
      expect(await spread('24')).toMatchObject({ code: 0, stdout: 'The keys of 6 topics are spread over 24 partitions.\n' });
      const moved = performance.now();
      isMoving = false;
      // The age of a pet that was listed with 3 months is its revision plus 3.
      await untilSequence((await changing) - 3);
      const { topics } = await admin.fetchTopicMetadata({ topics: [...topicsOf(contracts)] });
      expect(new Set(topics.map(({ partitions }) => partitions.length))).toEqual(new Set([24]));
      const changed = pets.filter((id) => partitionsOf(id).length > 1);
      expect(changed.length).toBeGreaterThan(0);
      for (const id of pets) {
        const messages = seen.filter(({ key }) => key === id).toSorted((one, other) => one.sequence - other.sequence);
        expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, index) => index + 1));
        // A key goes to its new partition once, and never back.
        expect(
          messages.filter(({ partition }, index) => index > 0 && partition !== messages[index - 1]?.partition).length,
        ).toBeLessThanOrEqual(1);
      }
      const order = await call('POST', '/v1/orders', { body: { petId: pets[0] } });
      const address = `/v1/orders/${String(order.json['id'])}`;
      const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
      expect((await call('POST', `${address}/payment`, { body: { amount: '10.00', currency: 'USD', source } })).status).toBe(201);
      await eventually('the order to be approved', async () => (await call('GET', address)).json['status'] === 'approved');
      const approved = performance.now();
      printLine(
        `6 -> 24 partitions under load: ${changed.length} of ${PETS} keys moved in order; the command took ` +
          `${Math.round(moved - started)} ms; an order was approved ${Math.round(approved - moved)} ms later`,
      );
      expect(approved - moved).toBeLessThan(FOUND_WITHIN);
      await eventually('the consumers to reach the end', async () =>
        Object.values((await readiness(cluster.workers[0]?.url)).consumers).every(({ behind }) => behind === 0),
      );
    });

    it.each([
      ['12', 2, /the keys of petstore\.\w+\.v1 are spread over 24 partitions, and a topic never gets fewer: pass --partitions 24 or more/],
      ['24', 2, /the keys of every topic are spread over 24 partitions already: nothing was changed/],
      ['0', 2, /must be a whole number from 1 to 1000/],
    ])('do not move to %s partitions', async (partitions, code, text) =>
      expect(await spread(partitions)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(text) }),
    );
  });
});
