import { afterAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { openPublisher, prepareTopics, readTopics } from '../../libs/adapters/kafka/index.js';
import { newNamespace } from '../servers/new-namespace.js';
import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { topicForTest } from './kafka.js';

const NAME = 'stores in different namespaces of one Kafka';
const SHAPE = { partitions: 2, replicationFactor: 1 };

describeIfAvailable(NAME, await sharedKafka(), (kafka) => {
  /** Proves contract 24.10. */
  describe(NAME, () => {
    const opened: (() => Promise<void>)[] = [];
    afterAll(async () => {
      for (const close of opened) await close();
    });

    it('have their own topics and publishers with the same names', async () => {
      const { connection: plain, topic } = await topicForTest(kafka, SHAPE.partitions);
      const connections = [plain, ...[newNamespace(), newNamespace()].map((namespace) => ({ ...plain, namespace }))];
      for (const connection of connections) await prepareTopics(connection, [topic], SHAPE);
      const admin = new Kafka({ brokers: [...plain.brokers], logLevel: logLevel.NOTHING }).admin();
      opened.push(() => admin.disconnect());
      await admin.connect();
      const expectedTopics = connections.map(({ namespace }) =>
        topic.replace('contract.', namespace ? `contract.${namespace}.` : 'contract.'),
      );
      expect(await admin.listTopics()).toEqual(expect.arrayContaining(expectedTopics));

      // Opening a publisher fences older ones with its name. All of these can publish, so none has fenced another.
      const publishers = await Promise.all(connections.map((connection) => openPublisher(connection, topic)));
      opened.push(...publishers.map((publisher) => () => publisher.close()));
      for (const [index, publisher] of publishers.entries()) {
        const message = (sequence: number) => ({ topic, key: 'a', attributes: attributesOf(sequence), data: '{}' });
        const [partition, ...others] = Object.keys(await publisher.publish(Array.from({ length: index + 1 }, (_, at) => message(at + 1))));
        expect([partition, others]).toEqual([expect.stringMatching(new RegExp(`^${topic}/[01]$`)), []]);
      }
      for (const [index, connection] of connections.entries()) {
        const { ends } = await readTopics(connection, [topic]);
        expect(Object.keys(ends).sort()).toEqual([`${topic}/0`, `${topic}/1`]);
        // The end of a transaction is a record of its own, with an offset.
        expect(Object.values(ends).sort()).toEqual([0, index + 2]);
      }
    });
  });
});

const attributesOf = (sequence: number) => ({
  specversion: '1.0',
  id: `a/${sequence}`,
  type: 'petstore.thing.made.v1',
  source: '/petstore/things',
  subject: 'thing-a',
  time: '2026-01-02T03:04:05.678Z',
  datacontenttype: 'application/json',
  tenantid: 'shared',
  sequence: String(sequence),
  eventtype: 'Made',
});
