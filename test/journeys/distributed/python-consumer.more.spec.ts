import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { openDistributedStore } from '../../../apps/petstore/composition/distributed/distributed.js';
import { requireServers } from '../../../apps/petstore/composition/distributed/open-servers.js';
import { makeToken } from '../../../apps/petstore/commands/token.command.js';
import { dayOf } from '../../../libs/eventsourcing/day.js';
import { publicKeysOf, type PublicJwk } from '../../../libs/audit/keys/public-keys.js';
import { forgeryOf } from '../../../libs/audit/verify/genuine-checkpoints.js';
import type { SignedCheckpoint } from '../../../libs/domain/checkpoints/checkpoint.events.js';
import type { PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { contracts, topicsOf } from '../../../libs/contracts/contracts.js';
import { parseSettings } from '../../../libs/settings/settings.js';
import { readByPython, type ReadByPython } from '../../consumers/python-reader.js';
import { ROOT, runProgram } from '../../servers/program.js';
import { sharedPython } from '../../servers/services/python.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { createLog } from '../../../apps/petstore/logging/log.js';
import { caller } from '../../servers/calling.js';
import { isMissing } from '../../servers/services/shared.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { startJourney, openSession, startClusterIfAvailable } from './journey.js';
import { openClusterStorage } from './cluster-storage.js';
import { topicViolations, expectedMessages, type TopicMessage } from './topic-messages.js';

type Binding = { readonly topic: string; readonly partitions: number; readonly topicConfiguration: Readonly<Record<string, unknown>> };
type Document = { readonly channels: Readonly<Record<string, { readonly bindings?: { readonly kafka?: Binding } }>> };

type Env = Readonly<Record<string, string>>;

const SEED = 20_260_104;
const REQUESTS = 150;
const DAY = 86_400_000;
const NAME = 'a Python consumer of the topics';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');
const SUBSCRIBER = join(ROOT, 'examples', 'subscriber');

const python = await sharedPython();
const found = isMissing(python) ? python : await startClusterIfAvailable({ apis: 1, workers: ['projections,relay,consumers,timers'] });

/** Converts a message that Python has parsed. Python formats times in another way than the service. */
const topicMessage = ({ topic, key, data, attributes }: ReadByPython): TopicMessage => ({
  topic,
  key,
  data,
  attributes: { ...attributes, time: new Date(attributes['time'] ?? '').toISOString() },
});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 22.1, contract 22.2, contract 22.3, contract 22.4, contract 22.7 and contract 25.4. */
  describe(NAME, () => {
    const api = cluster.apis[0]?.url ?? '';
    const env = { KAFKA_BROKERS: cluster.kafka.brokers };
    const pythonProgram = isMissing(python) ? '' : python.python;
    let document: Document;
    let expected: readonly PublicMessage[];
    let read: readonly ReadByPython[];

    beforeAll(async () => {
      const journey = startJourney(await openSession(cluster), SEED);
      await journey.waitForResponses(REQUESTS);
      await journey.end();
      await makeCheckpoint();
      await countToday();
      const storage = await openClusterStorage({ eventStoreUrl: cluster.eventStore.url, mongoUrl: cluster.mongod.url });
      expected = expectedMessages(await storage.events());
      await storage.close();
      document = (await (await fetch(`${api}/asyncapi.json`)).json()) as Document;
      read = await readByPython(pythonProgram, cluster.kafka.brokers, document, expected.length);
    });
    afterAll(async () => {
      await cluster.close();
      removeFolders();
    });

    const makeCheckpoint = async (): Promise<void> => {
      const token = await makeToken(parseSettings(cluster.settings), { scope: 'ops', subject: 'operator', expiresIn: 60 });
      expect((await caller(api, token)('POST', '/v1/audit/checkpoints')).status).toBe(200);
    };

    /** Counts the messages of today. The service itself would count them only after midnight (UTC). */
    const countToday = async (): Promise<void> => {
      const store = await openDistributedStore(requireServers(parseSettings(cluster.settings)), createLog('silent'));
      await store.messageCounter.countUntil(dayOf(Date.now() + DAY));
      await store.close();
    };

    it('receives exactly the messages of the log, without a gap in any key', () => {
      expect(expected.length).toBeGreaterThan(REQUESTS);
      expect(topicViolations(read.map(topicMessage), expected)).toEqual([]);
    });

    it('receives succeeded and failed payments and their orders', () => {
      const types = new Set(read.map(({ attributes }) => attributes['type']));
      for (const type of ['pet.listed', 'pet.adopted', 'order.placed', 'order.approved', 'payment.succeeded', 'payment.failed'])
        expect(types).toContain(`petstore.${type}.v1`);
    });

    it('receives signed checkpoints, which the public keys of the service verify (contract 35.1)', async () => {
      const { keys } = (await (await fetch(`${api}/v1/audit/public-keys`)).json()) as { readonly keys: readonly PublicJwk[] };
      const checkpoints = read.flatMap(({ topic, data }) =>
        topic === 'petstore.checkpoints.v1' && data.startsWith('{"checkpoint"') ? [JSON.parse(data) as SignedCheckpoint] : [],
      );
      expect(checkpoints.length).toBeGreaterThan(0);
      expect(checkpoints.map((signed) => forgeryOf(publicKeysOf(keys), signed))).toEqual(checkpoints.map(() => null));
    });

    it.each([
      [
        'TypeScript',
        (own: Env) => runProgram(NODE, ['--no-warnings', join(SUBSCRIBER, 'subscriber.ts'), ...topicsOf(contracts)], { env: own }),
      ],
      ['Python', (own: Env) => runProgram(pythonProgram, [join(SUBSCRIBER, 'subscriber.py'), ...topicsOf(contracts)], { env: own })],
    ])('is read by the example in %s, which finds that no message is missing (contract 22.3, contract 35.7)', async (_, readByExample) => {
      const keys = join(newFolder(), 'keys.json');
      writeFileSync(keys, await (await fetch(`${api}/v1/audit/public-keys`)).text());
      const { code, stdout, stderr } = await readByExample({ ...env, KEYS: keys });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^complete up to \d{4}-\d\d-\d\d$/m);
      const [, count = '', missing] = /^(\d+) messages, (\d+) missing, \d+ doubles$/m.exec(stdout) ?? [];
      expect(missing).toBe('0');
      expect(Number(count)).toBeGreaterThanOrEqual(expected.length);
    });

    it('receives a replay, marked and with the same ids (contract 22.8)', async () => {
      const TOPIC = 'petstore.orders.v1';
      const args = [MAIN, 'topics', 'replay', '--topic', TOPIC, '--from', '1h'];
      const orders = expected.filter(({ topic }) => topic === TOPIC).map(({ attributes }) => attributes['id']);
      const { code, stdout } = await runProgram(NODE, args, { env: cluster.settings });
      expect([code, stdout]).toEqual([0, `${orders.length} messages were published again.\n`]);
      const again = await readByPython(pythonProgram, cluster.kafka.brokers, document, expected.length);
      const replayed = again.filter(({ attributes }) => attributes['replayedat'] !== undefined);
      expect(replayed.map(({ attributes }) => attributes['id']).sort()).toEqual(orders.sort());
      expect(topicViolations(again.map(topicMessage), expected)).toEqual([]);
      expect(again.flatMap(({ violations }) => violations)).toEqual([]);
    });

    it('finds that headers and data are valid under the AsyncAPI document', () =>
      expect(read.flatMap(({ violations }) => violations)).toEqual([]));

    it('finds a violation if the document declares another event type', async () => {
      const other = JSON.parse(JSON.stringify(document).replaceAll('"const":"placed"', '"const":"lost"')) as unknown;
      const again = await readByPython(pythonProgram, cluster.kafka.brokers, other, expected.length);
      const placed = again.filter(({ attributes }) => attributes['type'] === 'petstore.order.placed.v1');
      expect(placed.map(({ violations }) => violations)).toEqual(placed.map(() => [expect.stringContaining("'lost' was expected")]));
    });

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
