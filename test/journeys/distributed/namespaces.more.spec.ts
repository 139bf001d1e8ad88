import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { contracts, topicsOf } from '../../../libs/contracts/contracts.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import type { Cluster } from '../../servers/cluster.js';
import { runPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { openClusterStorage } from './cluster-storage.js';
import { startJourney, openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'two stores in two namespaces on one set of servers';
/** The first name is a prefix of the second, so that a comparison of prefixes without a separator would match both. */
const NAMESPACES = ['shop', 'shop2'] as const;
const SEED = 20_260_124;
const RESPONSES_BEFORE_AND_AFTER_REBUILD = 40;
const ROLES = ['projections,relay,consumers,timers'];

const settings = { LOG_LEVEL: 'warn', NAMESPACE: NAMESPACES[0] };

describeIfAvailable(NAME, await startClusterIfAvailable({ apis: 1, workers: ROLES, settings }), (cluster) => {
  /** Proves contract 24.10. */
  describe(NAME, () => {
    let clusters: readonly Cluster[];
    beforeAll(async () => void (clusters = [cluster, await cluster.startNeighbour(NAMESPACES[1], { workers: ROLES })]));
    afterAll(async () => {
      await cluster.close();
      removeFolders();
    });

    const rebuild = async (one: Cluster): Promise<void> => {
      const { code, stdout, stderr } = await runPetstore(['projections', 'rebuild'], { dataDir: newFolder(), env: one.settings });
      expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('The workers rebuild them'), expect.anything()]);
    };

    it('contain only the effects of their own requests, also after a rebuild of the read models under load', async () => {
      const journeys = await Promise.all(clusters.map(async (each, index) => startJourney(await openSession(each), SEED + index)));
      const waitForLoad = (): Promise<unknown> =>
        Promise.all(journeys.map((journey) => journey.waitForResponses(RESPONSES_BEFORE_AND_AFTER_REBUILD)));
      try {
        await waitForLoad();
        await Promise.all(clusters.map(rebuild));
        await waitForLoad();
      } finally {
        await Promise.all(journeys.map(({ load }) => load.stop()));
      }
      for (const [index, journey] of journeys.entries()) {
        const report = await journey.end();
        printLine(`the audit of namespace ${NAMESPACES[index] ?? ''}, seed ${SEED + index}: ${JSON.stringify(report)}`);
      }
    });

    it('write nothing outside their namespaces', async () => {
      const outside = await openClusterStorage({ eventStoreUrl: cluster.eventStore.url, mongoUrl: cluster.mongod.url });
      expect(await outside.events()).toEqual([]);
      expect(await outside.charges()).toEqual([]);
      await outside.close();
      const admin = new Kafka({ brokers: cluster.kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      const topics = (await admin.listTopics()).filter((topic) => !topic.startsWith('__')).sort();
      const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId).filter((id) => !id.startsWith('audit.'));
      await admin.disconnect();
      const prefixes = NAMESPACES.map((namespace) => `petstore.${namespace}.`);
      expect(topics).toEqual(prefixes.flatMap((prefix) => topicsOf(contracts).map((topic) => topic.replace('petstore.', prefix))).sort());
      for (const prefix of prefixes) expect(groups.some((id) => id.startsWith(prefix))).toBe(true);
      expect(groups.filter((id) => !prefixes.some((prefix) => id.startsWith(prefix)))).toEqual([]);
    });

    it('each have an AsyncAPI document with the topics of their namespace', async () => {
      for (const [index, { apis }] of clusters.entries()) {
        const url = apis[0]?.url ?? '';
        const topic = `petstore.${NAMESPACES[index] ?? ''}.orders.v1`;
        expect(await (await fetch(`${url}/asyncapi.json`)).json()).toMatchObject({ channels: { orders: { address: topic } } });
        const page = await (await fetch(`${url}/docs/events`)).text();
        expect(page.replaceAll('<wbr>', '')).toContain(`<code>${topic}</code>`);
      }
    });
  });
});
