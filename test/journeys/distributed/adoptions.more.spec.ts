import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { raceApprovalsForOnePet, raceDecisionsOfOneApplication, raceOrdersAndApplications } from '../../http/adoption-races.js';
import { racingShopOn, type RacingShop } from '../../http/racing.js';
import { printLine } from '../../print-line.js';
import { caller } from '../../servers/calling.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { serviceOnCluster } from '../../servers/test-petstore.js';
import { killDuringAdoptions, type AdoptionTarget } from '../adoption-kill-rounds.js';
import { openClusterStorage, type ClusterStorage } from './cluster-storage.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'adoptions on two apis and two workers';
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 50);
const SEED = Number(process.env['FAULT_SEED'] ?? 7);

describeIfAvailable(NAME, await startClusterIfAvailable(), (cluster) => {
  /** Proves contract 24.2, contract 24.6, contract 36.3 and contract 36.5. */
  describe(NAME, () => {
    let racing: RacingShop;
    let storage: ClusterStorage;
    beforeAll(async () => {
      const services = await Promise.all(cluster.apis.map(({ url }) => serviceOnCluster({ ...cluster, url })));
      racing = await racingShopOn(services as [(typeof services)[0], (typeof services)[0]]);
      storage = await openClusterStorage({
        eventStoreUrl: cluster.eventStore.url,
        mongoUrl: cluster.mongod.url,
        namespace: cluster.settings['NAMESPACE'] ?? '',
      });
    });
    afterAll(async () => {
      await racing.close();
      await storage.close();
      await cluster.close();
    });

    it.each([
      ['20 approvals for one pet', raceApprovalsForOnePet],
      ['20 decisions of one application', raceDecisionsOfOneApplication],
      ['10 orders and 10 applications for one pet', raceOrdersAndApplications],
    ])(`%s, ${ROUNDS} times: one gets it`, async (_, round) => {
      for (let nth = 0; nth < ROUNDS; nth++) await round(racing);
    });

    it(`repeat every step that a kill left out, ${ROUNDS} times`, async () => {
      const { token } = await openSession(cluster);
      const target: AdoptionTarget = {
        calls: () => cluster.apis.map(({ url }) => caller(url, token)),
        async kill(random) {
          const members = [...cluster.apis, ...cluster.workers];
          const member = members[Math.floor(random() * members.length)];
          await member?.kill();
          return async () => void (await member?.restart());
        },
        events: () => storage.events(),
      };
      const report = await killDuringAdoptions(target, ROUNDS, SEED);
      printLine(`kill -9 of an api or a worker during adoptions, seed ${SEED}: ${JSON.stringify(report)}`);
      expect(report.applications).toBeGreaterThan(ROUNDS);
    });
  });
});
