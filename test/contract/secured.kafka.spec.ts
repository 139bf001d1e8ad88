import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openPublisher, prepareTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
import { BROKERS_AUTHORITY, LOGIN } from '../servers/services/kafka.js';
import { ownKafka } from '../servers/services/shared.js';
import { whenThere } from '../servers/services/when-there.js';

const NAME = 'guarded brokers';
const SHAPE = { partitions: 1, replicationFactor: 1 };

whenThere(NAME, await ownKafka(), (kafka) => {
  describe(NAME, () => {
    afterAll(() => kafka.close());

    const ssl = { ca: readFileSync(BROKERS_AUTHORITY, 'utf8') };
    const login = { mechanism: 'scram-sha-512', ...LOGIN } as const;
    const connection: KafkaConnection = { brokers: [kafka.guarded], clientId: 'contract', ssl, login };
    const prepare = (reached: KafkaConnection): Promise<void> =>
      prepareTopics(reached, [`petstore.${randomUUID()}`], SHAPE, recordingLog());

    it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('let in who proves the password by %s', async (mechanism) => {
      await prepare({ ...connection, login: { mechanism, ...LOGIN } });
      await (await openPublisher({ ...connection, login: { mechanism, ...LOGIN } }, `petstore.${mechanism}`)).close();
    });

    it.each([
      ['has another password', { login: { ...login, password: 'secret' } }],
      ['is somebody else', { login: { ...login, username: 'nobody' } }],
      ['does not know who vouches for them', { ssl: true }],
    ])('are not to be had for one who %s, and no password is repeated', async (_, change) => {
      const refused = await prepare({ ...connection, ...change }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ name: 'StoreUnavailable' });
      expect(String(refused)).not.toMatch(/secret|brokers-canary/);
    });
  });
});
