import { describe, expect } from '@jest/globals';
import { initiateDeviceAuthorization } from 'openid-client';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
import { addClient, authorizationRequest, createPerson, discover } from './oauth-people.js';

const withLimit = async (limit: number, work: (service: OwnPetstore) => Promise<void>): Promise<void> => {
  const service = await startOwnPetstore({ RATE_LIMIT: `${limit}/7d` });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
};

const POSTS = ['/oauth/token', '/oauth/refresh', '/oauth/device/authorize', '/oauth/revocation', '/oauth/introspection'];

/** Proves contract 4.8, contract 11.1, contract 11.2 and contract 11.3. */
describe('the rate limit of the authorization server', () => {
  it('counts requests to all its endpoints together with requests to operations, by the address of the caller', () =>
    withLimit(2, async (service) => {
      const post = (path: string) => fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ token: 'a' }) });
      const [first, second] = [await post('/oauth/token'), await service.request('GET', '/v1/pets')];
      expect([first.headers.get('ratelimit-remaining'), second.headers['ratelimit-remaining']]).toEqual(['1', '0']);
      for (const path of [...POSTS, '/oauth/userinfo']) {
        const { status, headers } = await post(path);
        expect([path, status, headers.get('retry-after')]).toEqual([path, 429, headers.get('ratelimit-reset')]);
        expect(headers.get('content-type')).toContain('application/problem+json');
      }
      for (const path of ['/oauth/authorize?state=a', '/oauth/device', '/oauth/interaction/a']) {
        const page = await fetch(service.url + path);
        expect([path, page.status, await page.text()]).toEqual([
          path,
          429,
          expect.stringMatching(/too many attempts\. Try again in \d+ seconds/),
        ]);
        expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
      }
    }));

  it('does not count the metadata and the public keys, which clients read often', () =>
    withLimit(1, async (service) => {
      for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth/jwks'])
        for (let times = 0; times < 2; times++) expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200]);
    }));

  it('is lower for attempts with passwords and device codes, and sends Retry-After', () =>
    withLimit(1_000, async (service) => {
      const { username } = await createPerson(service);
      const { url } = await authorizationRequest(await discover(service, await addClient(service)));
      const browser = new Browser(service.url);
      const signIn = await browser.open(url.href);
      let codePage = await browser.open(`${service.url}/oauth/device`);
      const attempt = {
        password: () => browser.submit(signIn, { username, password: 'wrong', action: 'sign-in' }),
        device: async () => {
          const answer = await browser.submit(codePage, { user_code: 'BBBB-BBBB' });
          if (answer.status !== 429) codePage = answer;
          return answer;
        },
      };
      expect((await attempt.password()).status).toBe(422);
      // Codes are fast, so that all attempts are in one minute. A minute that ends between them needs ten more.
      let remaining = 20;
      while ((await attempt.device()).status !== 429 && remaining > 0) remaining--;
      expect([remaining > 0, remaining <= 11]).toEqual([true, true]);
      for (const { status, headers, html } of [await attempt.password(), await attempt.device()]) {
        expect(status).toBe(429);
        const seconds = Number(headers.get('retry-after'));
        expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
        expect(html).toMatch(/Try again in (\d+ seconds|one second)\./);
      }
    }));

  it('does not count codes that a person types correctly, and refusals, as failures', () =>
    withLimit(1_000, async (service) => {
      const config = await discover(service, await addClient(service, { redirectUris: [], device: true }));
      for (let times = 0; times < 12; times++) {
        const { user_code: code } = await initiateDeviceAuthorization(config, { scope: 'openid' });
        const browser = new Browser(service.url);
        const confirmation = await browser.submit(await browser.open(`${service.url}/oauth/device`), { user_code: code });
        expect(confirmation.html).toContain('Is this your device?');
        expect((await browser.submit(confirmation, { abort: 'yes' })).status).toBe(200);
      }
    }));
});
