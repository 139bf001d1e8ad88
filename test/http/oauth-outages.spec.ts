import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { HasherBusy } from '../../libs/ports/password-hasher.port.js';
import { openInProcessStore, type InProcessPetstore } from '../journeys/in-process-petstore.js';
import { countingHasher } from './counting-hasher.js';
import { Browser } from './oauth-browser.js';

const CLIENT = { name: 'Pet Finder', redirectUris: ['http://127.0.0.1:4000/signed-in'], device: true };
const REQUEST = {
  response_type: 'code',
  redirect_uri: 'http://127.0.0.1:4000/signed-in',
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
};
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Proves contract 4.8 and contract 24.7. */
describe('the authorization server', () => {
  const passwords = countingHasher();
  let service: InProcessPetstore;
  let id: string;
  beforeAll(async () => {
    service = await openInProcessStore(':memory:', { passwords }, { LOG_LEVEL: 'error' });
    id = String((await service.call('POST', '/v1/ops/clients', { body: CLIENT })).json['id']);
    await fetch(`${service.url}/oauth/jwks`);
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => service.stop());

  const expectUnavailable = async (path: string, init: RequestInit, body: string): Promise<void> => {
    const response = await fetch(service.url + path, { redirect: 'manual', ...init });
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, expect.stringMatching(/^[1-9]/)]);
    expect(await response.text()).toContain(body);
  };
  const authorization = () => `/oauth/authorize?${new URLSearchParams({ client_id: id, ...REQUEST }).toString()}`;

  it('answers 503 while its documents are not available, to clients and to browsers', async () => {
    const { documents } = service.store;
    for (const name of ['get', 'find', 'apply'] as const)
      jest.spyOn(documents, name).mockRejectedValue(new StoreUnavailable('MongoDB is unavailable'));
    const form = (fields: Record<string, string>): RequestInit => ({
      method: 'POST',
      body: new URLSearchParams({ client_id: id, ...fields }),
    });
    await expectUnavailable('/oauth/token', form({ grant_type: 'refresh_token', refresh_token: 'a' }), 'temporarily_unavailable');
    await expectUnavailable('/oauth/token', form({ grant_type: DEVICE_GRANT, device_code: 'a' }), 'temporarily-unavailable');
    await expectUnavailable('/oauth/device/authorize', form({}), 'temporarily_unavailable');
    await expectUnavailable('/oauth/revocation', form({ token: 'a' }), 'temporarily_unavailable');
    await expectUnavailable('/oauth/introspection', form({ token: 'a' }), 'temporarily_unavailable');
    const page = { headers: { accept: 'text/html' } };
    await expectUnavailable(authorization(), page, 'The service cannot do this at the moment');
    await expectUnavailable('/oauth/device', page, 'The service cannot do this at the moment');
    expect(service.lines.filter((line) => line.includes('the authorization server failed'))).toEqual([]);
  });

  it('answers 503 with a page while too many passwords wait', async () => {
    const browser = new Browser(service.url);
    const page = await browser.open(service.url + authorization());
    jest.spyOn(passwords, 'verify').mockRejectedValue(new HasherBusy());
    const { status, headers, html } = await browser.submit(page, { username: 'ann', password: 'a', action: 'sign-in' });
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
    expect(html).toContain('The service cannot do this at the moment');
  });
});
