import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessToken } from '../../../apps/api/sign-in/sign-in.dto.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import { startApiOn, type Member } from '../../servers/cluster.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { serviceOnCluster } from '../../servers/test-petstore.js';
import { proxyBeforeEventStore } from './cutting-proxy.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'a process that is cut off from the log';
const PASSWORD = 'correct horse battery';
/** Milliseconds: the 30 s of contract 30.10, and some reads that time out. */
const NOTICED_WITHIN = 60_000;
/** Milliseconds. Within 10 s, the service is back to normal (contract 24.7). */
const BACK_WITHIN = 20_000;
const cuttingProxy = proxyBeforeEventStore(() => 0);
const found = await startClusterIfAvailable({});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 30.10 and contract 24.7. */
  describe(NAME, () => {
    const shared = { url: cluster.apis[0]?.url ?? '', settings: cluster.settings };
    let cutOff: Member;
    beforeAll(async () => {
      cutOff = await startApiOn(shared, { EVENTSTOREDB_URL: await cuttingProxy.start(cluster.settings['EVENTSTOREDB_URL'] ?? '') });
    });
    afterAll(async () => {
      await cutOff.close();
      await cuttingProxy.close();
      await cluster.close();
    });

    const anonymous: Call = caller(shared.url);
    const signIn = async (username: string): Promise<string> => {
      const created = await anonymous('POST', '/v1/users', { body: { username, email: `${username}@example.com`, password: PASSWORD } });
      expect(created.status).toBe(201);
      return ((await anonymous('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } })).json as unknown as AccessToken)
        .token;
    };
    const statusOf = async (token: string): Promise<number> => (await caller(cutOff.url, token)('GET', '/v1/pets')).status;

    it('answers 503 to tokens of accounts after 30 s, and accepts those of operators', async () => {
      const [ann, bob] = [await signIn('ann'), await signIn('bob')];
      const operator = await (await serviceOnCluster(shared)).token('read:pets');
      expect([await statusOf(ann), await statusOf(bob), await statusOf(operator)]).toEqual([200, 200, 200]);
      cuttingProxy.proxy().setChance(1);
      const begun = performance.now();
      expect((await caller(shared.url, bob)('DELETE', '/v1/auth/tokens/current')).status).toBe(204);
      await eventually('the tokens of accounts get 503', async () => (await statusOf(ann)) === 503, NOTICED_WITHIN);
      expect(performance.now() - begun).toBeGreaterThan(29_000);
      expect([await statusOf(bob), await statusOf(operator)]).toEqual([503, 200]);
      cuttingProxy.proxy().setChance(0);
      await eventually('the tokens of accounts are accepted', async () => (await statusOf(ann)) === 200, BACK_WITHIN);
      expect(await statusOf(bob)).toBe(401);
    });
  });
});
