import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openPublisher, prepareTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
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
    const prepare = (target: KafkaConnection): Promise<void> => prepareTopics(target, [`petstore.${randomUUID()}`], SHAPE, recordingLog());

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
  });
});
