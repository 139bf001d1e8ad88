import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../../../libs/settings/settings.js';
import { replayTopicCommand } from './topics.command.js';

/** Nothing listens at these addresses: each command is rejected before it connects. */
const SERVERS = {
  EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:1/petstore?replicaSet=rs0',
  KAFKA_BROKERS: '127.0.0.1:1',
};
const TOPIC = 'petstore.orders.v1';

/** Proves contract 22.8. */
describe('petstore topics replay is rejected', () => {
  it.each([
    ['without the servers', {}, { topic: TOPIC, from: '1h' }, /EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS are missing/],
    ['for an unknown topic', SERVERS, { topic: 'petstore.cats.v1', from: '1h' }, /is not a topic; the topics are petstore\.pets\.v1, /],
    ['for a time that is none', SERVERS, { topic: TOPIC, from: 'noon' }, /--from "noon" is not a time/],
    [
      'for a range that ends before it starts',
      SERVERS,
      { topic: TOPIC, from: '2026-01-03', to: '2026-01-02' },
      /--from 2026-01-03T\S+ is not before --to 2026-01-02/,
    ],
  ])('%s', async (_, env, options, message) =>
    expect(replayTopicCommand(parseSettings({ LOG_LEVEL: 'silent', ...env }), options)).rejects.toThrow(message),
  );
});
