import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } from 'kafkajs';
import { readFileSync } from 'node:fs';
import { addPartitions, checkTopics, openPublisher, prepareTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
import { BROKERS_AUTHORITY, LOGIN } from '../servers/services/kafka.js';
import { ownKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';

const NAME = 'Kafka brokers with TLS and SASL';
const SHAPE = { partitions: 1, replicationFactor: 1 };

describeIfAvailable(NAME, await ownKafka(), (kafka) => {
  describe(NAME, () => {
    afterAll(() => kafka.close());

    const ssl = { ca: readFileSync(BROKERS_AUTHORITY, 'utf8') };
    const login = { mechanism: 'scram-sha-512', ...LOGIN } as const;
    const connection: KafkaConnection = { brokers: [kafka.guarded], clientId: 'contract', ssl, login };
    const prepare = (target: KafkaConnection): Promise<void> => prepareTopics(target, [`petstore.${randomUUID()}`], SHAPE);

    const withdrawDescribeConfigs = async (): Promise<void> => {
      const admin = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      const acl = {
        resourceType: AclResourceTypes.TOPIC,
        resourcePatternType: ResourcePatternTypes.PREFIXED,
        operation: AclOperationTypes.DESCRIBE_CONFIGS,
        permissionType: AclPermissionTypes.ALLOW,
      };
      await admin.deleteAcls({ filters: [acl] });
      await admin.disconnect();
    };

    it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('accept the right password by %s', async (mechanism) => {
      await prepare({ ...connection, login: { mechanism, ...LOGIN } });
      await (await openPublisher({ ...connection, login: { mechanism, ...LOGIN } }, `petstore.${mechanism}`)).close();
    });

    it.each([
      ['has a wrong password', { login: { ...login, password: 'secret' } }],
      ['has an unknown user name', { login: { ...login, username: 'nobody' } }],
      ['does not trust their certificate authority', { ssl: true }],
    ])('are unavailable to a client that %s, and the error contains no password', async (_, change) => {
      const error = await prepare({ ...connection, ...change }).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ name: 'StoreUnavailable' });
      expect(String(error)).not.toMatch(/secret|brokers-canary/);
    });

    /** Proves contract 22.7. */
    it('are compared with the promise only with the right to read settings', async () => {
      const topic = `petstore.${randomUUID()}`;
      await prepareTopics(connection, [topic], SHAPE);
      expect((await checkTopics({ connection, names: [topic] }, SHAPE)).findings).toEqual([]);
      expect(await addPartitions({ connection, names: [topic] }, 2)).toBe(
        'the brokers refuse to add partitions (TOPIC_AUTHORIZATION_FAILED); run as a user who may alter the topics, then spread again:\n' +
          `kafka-topics.sh --bootstrap-server "$KAFKA_BROKERS" --command-config client.properties --alter --topic ${topic} --partitions 2`,
      );
      await withdrawDescribeConfigs();
      expect((await checkTopics({ connection, names: [topic] }, SHAPE)).findings).toEqual([
        {
          topic,
          kind: 'notice',
          text:
            `topic ${topic}: its settings cannot be read, so they are not compared; ` +
            'run: kafka-acls.sh --bootstrap-server "$KAFKA_BROKERS" --command-config client.properties --add ' +
            `--allow-principal "User:$KAFKA_USERNAME" --operation DescribeConfigs --topic ${topic}`,
        },
      ]);
    });
  });
});
