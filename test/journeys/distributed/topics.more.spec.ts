import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, logLevel, type Admin } from 'kafkajs';
import { createMessaging } from '../../../apps/petstore/composition/distributed/messaging.js';
import type { DistributedSettings } from '../../../apps/petstore/composition/distributed/open-servers.js';
import { TopicWatch } from '../../../apps/petstore/composition/distributed/watching/topic-watch.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { contracts, topicsOf } from '../../../libs/contracts/contracts.js';
import { parseSettings } from '../../../libs/settings/settings.js';
import { eventually } from '../../eventually.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { silentLog } from '../../silent-log.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'a worker on topics that other programs have created or changed';
const PROMISED = [
  { name: 'retention.ms', value: '-1' },
  { name: 'max.message.bytes', value: '2097152' },
];
/** The number of this level in log lines. */
const WARN = 40;
const COMPACTED = 'petstore.orders.v1';
const FOREIGN = 'petstore.payments.v1';
const configure = (topic: string, changes: string): string =>
  `run: kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics --entity-name ${topic} --add-config ${changes}`;

describeIfAvailable(NAME, await startClusterIfAvailable({ apis: 0, workers: [] }), (cluster: Cluster) => {
  /** Proves contract 22.7 and contract 25.2. */
  describe(NAME, () => {
    let admin: Admin;
    let worker: Member;
    beforeAll(async () => {
      admin = new Kafka({ brokers: cluster.kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      const compacted = [...PROMISED, { name: 'cleanup.policy', value: 'compact' }];
      await admin.createTopics({
        topics: [
          { topic: COMPACTED, numPartitions: 6, configEntries: compacted },
          // As a broker with auto.create.topics.enable creates it.
          { topic: FOREIGN, numPartitions: 1 },
        ],
        waitForLeaders: true,
      });
      worker = await cluster.startWorker();
    });
    afterAll(async () => {
      await admin.disconnect();
      await cluster.close();
    });

    const readiness = async (): Promise<{ readonly warnings: readonly string[] }> =>
      (await (await fetch(`${worker.url}/health/ready`)).json()) as never;

    const COMPACTION = `topic ${COMPACTED}: cleanup.policy is compact, which deletes messages, instead of delete; ${configure(COMPACTED, 'cleanup.policy=delete')}`;
    const SEVEN_DAYS =
      `topic ${FOREIGN}: retention.ms is 604800000, after which messages are deleted, instead of -1; ` +
      `max.message.bytes is 1048588, but messages are longer, instead of 2097152; ` +
      configure(FOREIGN, 'retention.ms=-1,max.message.bytes=2097152');

    it('shows the differences in its readiness, and logs each once', async () => {
      expect(
        (await eventually('the check of topics', async () => ((await readiness()).warnings.length > 0 ? readiness() : null))).warnings,
      ).toEqual([COMPACTION, SEVEN_DAYS]);
      const lines = worker.log().split('\n');
      for (const text of [COMPACTION, SEVEN_DAYS])
        expect(
          lines.filter((line) => line.includes(JSON.stringify(text).slice(1, -1))).map((line) => JSON.parse(line) as object),
        ).toMatchObject([{ level: WARN }]);
    });

    it('would not start in production, where nothing is published until the topics are corrected', async () => {
      const settings = { ...parseSettings(cluster.settings), nodeEnv: 'production' } as DistributedSettings;
      const projectionDocuments = { prepare: async () => undefined, get: async () => null, apply: async () => true };
      const messaging = createMessaging(settings, { projectionDocuments, clock: systemClock, log: silentLog } as never);
      const watch = new TopicWatch({ ...messaging, isProduction: true, clock: systemClock, log: silentLog });
      const rejected = {
        name: 'CommandError',
        message: `topics differ from what is promised, so messages could be lost.\n${COMPACTION}\n${SEVEN_DAYS}`,
      };
      await expect(watch.start()).rejects.toMatchObject(rejected);
      await expect(messaging.openPublisher()).rejects.toMatchObject(rejected);
      await admin.alterConfigs({
        validateOnly: false,
        resources: [COMPACTED, FOREIGN].map((name) => ({ type: ConfigResourceTypes.TOPIC, name, configEntries: PROMISED })),
      });
      await (await messaging.openPublisher()).close();
      await watch.start();
      await watch.stop();
    });

    it('shows within half a minute that the topics are corrected', () =>
      eventually('no warning', async () => (await readiness()).warnings.length === 0));

    it('creates the missing topics as promised', async () => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [...topicsOf(contracts)] });
      expect(topics.map(({ name, partitions }) => [name, partitions.length]).sort()).toEqual(
        topicsOf(contracts)
          .map((topic) => [topic, topic === FOREIGN ? 1 : 6])
          .sort(),
      );
    });
  });
});
