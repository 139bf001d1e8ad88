import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConfigResourceTypes, Kafka, logLevel, type Admin } from 'kafkajs';
import { addPartitions, checkTopics, prepareTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { breakableNetwork, topicForTest } from './kafka.js';

const withAdmin = async <T>({ brokers }: KafkaConnection, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

const describeTopic = (connection: KafkaConnection, topic: string) =>
  withAdmin(connection, async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
    });
    const config = new Map(resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]));
    return { partitions: topics[0]?.partitions.length, retention: config.get('retention.ms'), bytes: config.get('max.message.bytes') };
  });

const NAME = 'the preparation of Kafka topics';
const SHAPE = { replicationFactor: 1 };

describeIfAvailable(NAME, await sharedKafka(), (kafka) => {
  const connection = { brokers: kafka.brokers.split(','), clientId: 'contract' };

  /** Proves contract 22.7 and contract 23.9. */
  describe(NAME, () => {
    it('creates missing topics with the given partitions and retention', async () => {
      const { topic } = await topicForTest(kafka);
      const other = `${topic}.other`;
      await prepareTopics(connection, [topic, other], { ...SHAPE, partitions: 3, retentionMilliseconds: 86_400_000 });
      expect(await describeTopic(connection, other)).toEqual({ partitions: 3, retention: '86400000', bytes: '2097152' });
    });

    it('creates topics with six partitions and unlimited retention by default', async () => {
      const { topic } = await topicForTest(kafka);
      expect(await describeTopic(connection, topic)).toMatchObject({ partitions: 6, retention: '-1' });
    });

    it('creates a topic that was lost with as many partitions as its keys are spread over', async () => {
      const topic = `contract.${randomUUID()}.v1`;
      await prepareTopics(connection, [topic], SHAPE, { [topic]: 9 });
      expect(await describeTopic(connection, topic)).toMatchObject({ partitions: 9 });
    });

    it('changes no topic that exists', async () => {
      const { topic } = await topicForTest(kafka, 2);
      await prepareTopics(connection, [topic], SHAPE);
      expect(await describeTopic(connection, topic)).toMatchObject({ partitions: 2 });
    });

    it('succeeds when several processes run it at once', async () => {
      const { topic } = await topicForTest(kafka);
      const shape = { ...SHAPE, partitions: 1 };
      await Promise.all([1, 2, 3].map(() => prepareTopics(connection, [`${topic}.new`], shape)));
      expect(await describeTopic(connection, `${topic}.new`)).toMatchObject({ partitions: 1 });
    });

    it('waits until the brokers know the new topics, also when many are created at once', async () => {
      const topics = Array.from({ length: 16 }, () => `contract.${randomUUID()}.v1`);
      await Promise.all(topics.map((topic) => prepareTopics(connection, [topic], SHAPE)));
      expect(await describeTopic(connection, topics[0] ?? '')).toMatchObject({ partitions: 6 });
    });

    it('fails with StoreUnavailable when no broker responds', async () => {
      const { topic } = await topicForTest(kafka);
      const network = breakableNetwork();
      network.goDown();
      const unreachable = { ...connection, ...network };
      await expect(prepareTopics(unreachable, [topic], SHAPE)).rejects.toMatchObject({ name: 'StoreUnavailable' });
      await expect(checkTopics({ connection: unreachable, names: [topic] }, SHAPE)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    });
  });

  /** Proves contract 22.7. */
  describe('the check of Kafka topics', () => {
    /** Creates a topic as another program would. Returns the texts of the findings. */
    const findIn = async (
      options: Partial<Parameters<Admin['createTopics']>[0]['topics'][number]>,
      spread = 6,
    ): Promise<readonly string[]> => {
      const topic = `contract.${randomUUID()}.v1`;
      await withAdmin(connection, (admin) =>
        admin.createTopics({ topics: [{ topic, numPartitions: 6, ...options }], waitForLeaders: true }),
      );
      const { findings } = await checkTopics({ connection, names: [topic] }, SHAPE, { [topic]: spread });
      return findings.map(({ kind, text }) => `${kind}: ${text.replaceAll(topic, 'TOPIC')}`);
    };
    const PROMISED = [
      { name: 'retention.ms', value: '-1' },
      { name: 'max.message.bytes', value: '2097152' },
    ];
    const configure = (changes: string): string =>
      `run: kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics --entity-name TOPIC --add-config ${changes}`;

    it('finds nothing in topics that the service has created', async () => {
      const { topic } = await topicForTest(kafka);
      expect(await checkTopics({ connection, names: [topic] }, SHAPE, { [topic]: 6 })).toEqual({
        partitions: { [topic]: 6 },
        findings: [],
      });
    });

    it('names the command for 7 days of retention, which is the default of a topic that another program creates', async () =>
      expect(await findIn({})).toEqual([
        'contradiction: topic TOPIC: retention.ms is 604800000, after which messages are deleted, instead of -1; ' +
          `max.message.bytes is 1048588, but messages are longer, instead of 2097152; ${configure('retention.ms=-1,max.message.bytes=2097152')}`,
      ]));

    it('names the command for compaction', async () =>
      expect(await findIn({ configEntries: [...PROMISED, { name: 'cleanup.policy', value: 'compact' }] })).toEqual([
        `contradiction: topic TOPIC: cleanup.policy is compact, which deletes messages, instead of delete; ${configure('cleanup.policy=delete')}`,
      ]));

    it('notices 12 partitions if keys are spread over 6', async () =>
      expect(await findIn({ numPartitions: 12, configEntries: PROMISED })).toEqual([
        'notice: topic TOPIC: it has 12 partitions, but keys are spread over the first 6, so that they stay in order; ' +
          'to use all of them run: petstore topics spread --partitions 12',
      ]));

    it('finds one partition if keys are spread over 6', async () =>
      expect(await findIn({ numPartitions: 1, configEntries: PROMISED })).toEqual([
        'contradiction: topic TOPIC: it has 1 partition, but keys are spread over 6; ' +
          'run: kafka-topics.sh --bootstrap-server "$KAFKA_BROKERS" --alter --topic TOPIC --partitions 6',
      ]));

    it('finds a missing topic', async () => {
      const { partitions, findings } = await checkTopics({ connection, names: ['contract.nowhere.v1'] }, SHAPE);
      expect(partitions).toEqual({});
      expect(findings).toMatchObject([{ kind: 'contradiction', text: expect.stringContaining('it does not exist; restart a worker') }]);
    });

    it('adds partitions only to the topics that have fewer', async () => {
      const [{ topic: few }, { topic: many }] = [await topicForTest(kafka, 2), await topicForTest(kafka, 5)];
      expect(await addPartitions({ connection, names: [few, many] }, 4)).toBeNull();
      expect((await checkTopics({ connection, names: [few, many] }, SHAPE)).partitions).toEqual({ [few]: 4, [many]: 5 });
    });
  });
});
