import { expect, it } from '@jest/globals';
import type { AccountCollection } from '../../../apps/api/ops/users/account.dto.js';
import type { AccessToken } from '../../../apps/api/sign-in/sign-in.dto.js';
import { caller } from '../../servers/calling.js';
import { startApiOn } from '../../servers/cluster.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { eventually } from '../../eventually.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'the first staff account of several processes';
const PASSWORD = 'correct horse battery';
const found = await startClusterIfAvailable({});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 30.9. */
  it('is created once, although four processes start at the same time with ADMIN_PASSWORD', async () => {
    const shared = { url: cluster.apis[0]?.url ?? '', settings: cluster.settings };
    const apis = await Promise.all(Array.from({ length: 4 }, () => startApiOn(shared, { ADMIN_PASSWORD: PASSWORD })));
    try {
      for (const { url } of apis) {
        const body = { username: 'admin', password: PASSWORD };
        const signedIn = await caller(url)('POST', '/v1/auth/tokens', { body });
        expect(signedIn.status).toBe(201);
        const call = caller(url, (signedIn.json as unknown as AccessToken).token);
        const admins = await eventually('the account in the read model', async () => {
          const { data } = (await call('GET', '/v1/ops/users')).json as unknown as AccountCollection;
          return data.length > 0 ? data : null;
        });
        expect(admins.map(({ username, staff }) => [username, staff])).toEqual([['admin', true]]);
      }
    } finally {
      await Promise.all(apis.map((api) => api.close()));
      await cluster.close();
    }
  });
});
