import { afterAll, describe, it } from '@jest/globals';
import { startApiOn, type Member } from '../../servers/cluster.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { serviceOnCluster } from '../../servers/test-petstore.js';
import { SCENE_URL } from '../accounts-scene.js';
import { killDuringExchanges, preparePeople } from '../oauth-kills.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'the authorization server of an api that is killed';
const found = await startClusterIfAvailable({ settings: { PUBLIC_URL: SCENE_URL } });

describeIfAvailable(NAME, found, (cluster) => {
  const apis: Member[] = [];
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.close()));
    await cluster.close();
  });

  /** Proves contract 32.2. */
  describe(NAME, () => {
    it('never exchanges a code or a refresh token twice, and lets every person sign in again', async () => {
      const shared = { url: cluster.apis[0]?.url ?? '', settings: cluster.settings };
      const operator = await (await serviceOnCluster(shared)).token('ops');
      const people = await preparePeople({ url: shared.url, operator });
      const start = async (): Promise<Member> => {
        const api = await startApiOn(shared);
        apis.push(api);
        return api;
      };
      let api = await start();
      const target = {
        url: () => api.url,
        async kill() {
          await api.kill();
          return async () => void (api = await start());
        },
      };
      await killDuringExchanges(target, people, { rounds: 4, seed: 20260106 });
    });
  });
});
