import { describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { prepareTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { breakableNetwork, topicForTest } from './kafka.js';

const describeTopic = async ({ brokers }: KafkaConnection, topic: string) => {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
  });
  await admin.disconnect();
  const config = new Map(resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]));
  return { partitions: topics[0]?.partitions.length, retention: config.get('retention.ms'), bytes: config.get('max.message.bytes') };
};

const NAME = 'the preparation of Kafka topics';

describeIfAvailable(NAME, await sharedKafka(), (kafka) => {
  /** Proves contract 22.7 and contract 23.9. */
  describe(NAME, () => {
    it('creates missing topics with the given partitions and retention', async () => {
      const { connection, topic } = await topicForTest(kafka);
      const other = `${topic}.other`;
      const log = recordingLog();
      await prepareTopics(connection, [topic, other], { partitions: 3, replicationFactor: 1, retentionMilliseconds: 86_400_000 }, log);
      expect(await describeTopic(connection, other)).toEqual({ partitions: 3, retention: '86400000', bytes: '2097152' });
      expect(log.lines).toEqual([]);
    });

    it('creates topics with six partitions and unlimited retention by default', async () => {
      const { connection, topic } = await topicForTest(kafka);
      expect(await describeTopic(connection, topic)).toMatchObject({ partitions: 6, retention: '-1' });
    });

    it('logs a warning for a topic with fewer partitions and does not change it', async () => {
      const { connection, topic } = await topicForTest(kafka, 2);
      const log = recordingLog();
      await prepareTopics(connection, [topic], { replicationFactor: 1 }, log);
      expect(log.lines).toMatchObject([{ level: 'warn', fields: { topic, partitions: 2, wanted: 6 } }]);
      expect(await describeTopic(connection, topic)).toMatchObject({ partitions: 2 });
    });

    it('succeeds when several processes run it at once', async () => {
      const { connection, topic } = await topicForTest(kafka);
      const shape = { partitions: 1, replicationFactor: 1 };
      await Promise.all([1, 2, 3].map(() => prepareTopics(connection, [`${topic}.new`], shape, recordingLog())));
      expect(await describeTopic(connection, `${topic}.new`)).toMatchObject({ partitions: 1 });
    });

    it('fails with StoreUnavailable when no broker responds', async () => {
      const { connection, topic } = await topicForTest(kafka);
      const network = breakableNetwork();
      network.goDown();
      await expect(prepareTopics({ ...connection, ...network }, [topic], { replicationFactor: 1 }, recordingLog())).rejects.toMatchObject({
        name: 'StoreUnavailable',
      });
    });
  });
});
