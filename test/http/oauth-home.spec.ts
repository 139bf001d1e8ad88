import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import { startStoreWith, type TestPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
import { addClient, authorizationRequest, createPerson, discover, PASSWORD, REDIRECT_URI } from './oauth-people.js';

let store: TestPetstore;
let away: string;
beforeAll(async () => {
  store = await startStoreWith({ TRUSTED_PROXIES: '127.0.0.2' });
  away = store.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => store.stop());

const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });
const post = (url: string, form: string) =>
  open(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form });
const locationOf = (response: Response): string => response.headers.get('location') ?? '';

const requestOf = async () => {
  const config = await discover(store, await addClient(store));
  return { config, ...(await authorizationRequest(config)) };
};

/** Proves contract 32.1. */
describe('a page that is opened at another loopback name than that of PUBLIC_URL', () => {
  it('is opened at PUBLIC_URL, and the person signs in there', async () => {
    const { username } = await createPerson(store);
    const { config, url, verifier, state } = await requestOf();
    const sent = await open(away + url.pathname + url.search);
    expect([sent.status, locationOf(sent), sent.headers.get('cache-control')]).toEqual([302, `${url.href}&sent_home=1`, 'no-store']);
    const browser = new Browser(store.url);
    const consent = await browser.submit(await browser.open(locationOf(sent)), { username, password: PASSWORD, action: 'sign-in' });
    const answer = new URL((await browser.submit(consent, { action: 'allow' })).url);
    const tokens = await oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state });
    expect(tokens.access_token).toEqual(expect.any(String));
  });

  it('is opened there once, even if a proxy replaces the host', async () => {
    const { url } = await requestOf();
    const shown = await open(`${away}${url.pathname}${url.search}&sent_home=1`);
    expect([shown.status, locationOf(shown)]).toEqual([303, expect.stringMatching(/^\/oauth\/interaction\//)]);
  });

  it('is opened there with the code of a device', async () => {
    const sent = await open(`${away}/oauth/device?user_code=ABCD-EFGH`);
    expect([sent.status, locationOf(sent)]).toEqual([302, `${store.url}/oauth/device?user_code=ABCD-EFGH&sent_home=1`]);
    expect(await (await open(locationOf(sent))).text()).toContain('value="ABCD-EFGH"');
    expect(locationOf(await open(`${away}/oauth/device`))).toBe(`${store.url}/oauth/device?sent_home=1`);
  });

  it('is not sent by X-Forwarded-Host of a peer that is no trusted proxy', async () => {
    const { url } = await requestOf();
    const shown = await open(url.href, { headers: { 'x-forwarded-host': 'localhost' } });
    expect(locationOf(shown)).toMatch(/^\/oauth\/interaction\//);
  });
});

/** Proves contract 32.1: OpenID Connect Core, 3.1.2.1, demands POST. */
describe('POST at the authorization endpoint', () => {
  it('is the GET with the parameters of the form, repeated ones too', async () => {
    const { url } = await requestOf();
    const sent = await post(`${store.url}/oauth/authorize`, `${url.searchParams.toString()}&state=again`);
    expect([sent.status, locationOf(sent)]).toEqual([303, `/oauth/authorize?${url.searchParams.toString()}&state=again`]);
    const shown = await open(`${store.url}/oauth/authorize?${url.searchParams.toString()}`);
    expect(locationOf(shown)).toMatch(/^\/oauth\/interaction\//);
  });

  it('goes to PUBLIC_URL if it comes at another loopback name', async () => {
    const sent = await post(`${away}/oauth/authorize`, new URLSearchParams({ redirect_uri: REDIRECT_URI }).toString());
    expect(locationOf(sent)).toBe(`${store.url}/oauth/authorize?redirect_uri=${encodeURIComponent(REDIRECT_URI)}&sent_home=1`);
  });

  it('with parameters that are too long for an address is 413', async () =>
    expect((await post(`${store.url}/oauth/authorize`, `state=${'x'.repeat(10_000)}`)).status).toBe(413));
});
