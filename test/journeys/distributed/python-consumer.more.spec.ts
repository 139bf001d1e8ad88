import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import type { PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { readByPython, type ReadByPython } from '../../consumers/python-reader.js';
import { sharedPython } from '../../servers/services/python.js';
import { isMissing } from '../../servers/services/shared.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { startJourney, openSession, startTwoOfEach } from './journey.js';
import { openClusterStorage } from './cluster-storage.js';
import { topicViolations, expectedMessages, type TopicMessage } from './topic-messages.js';

type Binding = { readonly topic: string; readonly partitions: number; readonly topicConfiguration: Readonly<Record<string, unknown>> };
type Document = { readonly channels: Readonly<Record<string, { readonly bindings?: { readonly kafka?: Binding } }>> };

const SEED = 20_260_104;
const REQUESTS = 150;
const LONG = 120_000;
const NAME = 'a Python consumer of the topics';

const python = await sharedPython();
const found = isMissing(python) ? python : await startTwoOfEach({ apis: 1, workers: ['projections,relay,consumers,timers'] });

/** Converts a message that Python has parsed. Python formats times differently. */
const topicMessage = ({ topic, key, data, attributes }: ReadByPython): TopicMessage => ({
  topic,
  key,
  data,
  attributes: { ...attributes, time: new Date(attributes['time'] ?? '').toISOString() },
});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 22.1, contract 22.2, contract 22.3, contract 22.4, contract 22.7 and contract 25.4. */
  describe(NAME, () => {
    let document: Document;
    let expected: readonly PublicMessage[];
    let read: readonly ReadByPython[];

    beforeAll(async () => {
      const journey = startJourney(await openSession(cluster), SEED);
      await journey.waitForAnswers(REQUESTS);
      await journey.end();
      const storage = await openClusterStorage({ eventStoreUrl: cluster.eventStore.url, mongoUrl: cluster.mongod.url });
      expected = expectedMessages(await storage.events());
      await storage.close();
      document = (await (await fetch(`${cluster.apis[0]?.url ?? ''}/asyncapi.json`)).json()) as Document;
      read = await readByPython(isMissing(python) ? '' : python.python, cluster.kafka.brokers, document, expected.length);
    }, LONG);
    afterAll(() => cluster.close());

    it('receives exactly the messages of the log, without a gap in any key', () => {
      expect(expected.length).toBeGreaterThan(REQUESTS);
      expect(topicViolations(read.map(topicMessage), expected)).toEqual([]);
    });

    it('receives succeeded and failed payments and their orders', () => {
      const types = new Set(read.map(({ attributes }) => attributes['type']));
      for (const type of ['pet.listed', 'pet.adopted', 'order.placed', 'order.approved', 'payment.succeeded', 'payment.failed'])
        expect(types).toContain(`petstore.${type}.v1`);
    });

    it('finds that headers and data are valid under the AsyncAPI document', () =>
      expect(read.flatMap(({ violations }) => violations)).toEqual([]));

    it(
      'finds a violation if the document declares another event type',
      async () => {
        const other = JSON.parse(JSON.stringify(document).replaceAll('"const":"placed"', '"const":"lost"')) as unknown;
        const again = await readByPython(isMissing(python) ? '' : python.python, cluster.kafka.brokers, other, expected.length);
        const placed = again.filter(({ attributes }) => attributes['type'] === 'petstore.order.placed.v1');
        expect(placed.map(({ violations }) => violations)).toEqual(placed.map(() => [expect.stringContaining("'lost' was expected")]));
      },
      LONG,
    );

    it('finds that the topics have the configuration of the AsyncAPI document', async () => {
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
        const actual = Object.fromEntries(
          resources.flatMap(({ configEntries }) => configEntries.map((entry) => [entry.configName, entry.configValue])),
        );
        expect(actual).toEqual(Object.fromEntries(Object.entries(topicConfiguration).map(([name, value]) => [name, String(value)])));
      }
      await admin.disconnect();
    });
  });
});
