import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import type { PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { readByPython, type ReadByPython } from '../../consumers/python-reader.js';
import { sharedPython } from '../../servers/services/python.js';
import { isMissing } from '../../servers/services/shared.js';
import { whenThere } from '../../servers/services/when-there.js';
import { beginJourney, openShop, twoOfEach } from './journey.js';
import { openKept } from './cluster-storage.js';
import { faultsInTold, toBeTold, type Told } from './topic-messages.js';

type Binding = { readonly topic: string; readonly partitions: number; readonly topicConfiguration: Readonly<Record<string, unknown>> };
type Document = { readonly channels: Readonly<Record<string, { readonly bindings?: { readonly kafka?: Binding } }>> };

const SEED = 20_260_104;
const DEEDS = 150;
const LONG = 120_000;
const NAME = 'a reader in Python of the topics';

const python = await sharedPython();
const found = isMissing(python) ? python : await twoOfEach({ apis: 1, workers: ['projections,relay,consumers,timers'] });

/** Python writes instants in its own way. */
const toldBy = ({ topic, key, data, attributes }: ReadByPython): Told => ({
  topic,
  key,
  data,
  attributes: { ...attributes, time: new Date(attributes['time'] ?? '').toISOString() },
});

whenThere(NAME, found, (cluster) => {
  describe(NAME, () => {
    let document: Document;
    let expected: readonly PublicMessage[];
    let read: readonly ReadByPython[];

    beforeAll(async () => {
      const journey = beginJourney(await openShop(cluster), SEED);
      await journey.answers(DEEDS);
      await journey.end();
      const kept = await openKept({ eventStoreUrl: cluster.eventStore.url, mongoUrl: cluster.mongod.url });
      expected = toBeTold(await kept.events());
      await kept.close();
      document = (await (await fetch(`${cluster.apis[0]?.url ?? ''}/asyncapi.json`)).json()) as Document;
      read = await readByPython(isMissing(python) ? '' : python.python, cluster.kafka.brokers, document, expected.length);
    }, LONG);
    afterAll(() => cluster.close());

    it('sees every event of the log by its id, in each key without a gap, and nothing else', () => {
      expect(expected.length).toBeGreaterThan(DEEDS);
      expect(faultsInTold(read.map(toldBy), expected)).toEqual([]);
    });

    it('meets orders and payments, paid and failed', () => {
      const types = new Set(read.map(({ attributes }) => attributes['type']));
      for (const type of ['pet.listed', 'pet.adopted', 'order.placed', 'order.approved', 'payment.succeeded', 'payment.failed'])
        expect(types).toContain(`petstore.${type}.v1`);
    });

    it('finds every header and all data as the AsyncAPI document says', () => expect(read.flatMap(({ faults }) => faults)).toEqual([]));

    it(
      'would find what differs from the document',
      async () => {
        const other = JSON.parse(JSON.stringify(document).replaceAll('"const":"placed"', '"const":"lost"')) as unknown;
        const again = await readByPython(isMissing(python) ? '' : python.python, cluster.kafka.brokers, other, expected.length);
        const placed = again.filter(({ attributes }) => attributes['type'] === 'petstore.order.placed.v1');
        expect(placed.map(({ faults }) => faults)).toEqual(placed.map(() => [expect.stringContaining("'lost' was expected")]));
      },
      LONG,
    );

    it('finds the topics kept as the AsyncAPI document says', async () => {
      const admin = new Kafka({ brokers: [cluster.kafka.brokers], logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      for (const { bindings } of Object.values(document.channels)) {
        if (!bindings?.kafka) continue;
        const { topic, partitions, topicConfiguration } = bindings.kafka;
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        expect([topic, topics[0]?.partitions.length]).toEqual([topic, partitions]);
        const { resources } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: Object.keys(topicConfiguration) }],
        });
        const kept = Object.fromEntries(
          resources.flatMap(({ configEntries }) => configEntries.map((entry) => [entry.configName, entry.configValue])),
        );
        expect(kept).toEqual(Object.fromEntries(Object.entries(topicConfiguration).map(([name, value]) => [name, String(value)])));
      }
      await admin.disconnect();
    });
  });
});
