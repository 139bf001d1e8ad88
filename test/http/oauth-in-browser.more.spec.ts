import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import { SCOPE_WORDS } from '../../apps/api/oauth/api-scopes.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { eventually } from '../eventually.js';
import { fill, press, startBrowser, waitForHeading, type Display, type Tab } from '../servers/browser.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { addClient, authorizationRequest, createPerson, discover, PASSWORD } from './oauth-people.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const DISPLAYS: readonly (readonly [string, Display])[] = [
  ['a phone, light', { width: 390, height: 844, dark: false }],
  ['a phone, dark', { width: 390, height: 844, dark: true }],
  ['a desktop, light', { width: 1280, height: 900, dark: false }],
  ['a desktop, dark', { width: 1280, height: 900, dark: true }],
];

const browser = await startBrowser();
describeIfAvailable('the pages of the authorization server in Chromium', browser, ({ newTab, close }) => {
  let service: TestPetstore;
  let application: Server;
  let redirectUri: string;
  let signedOutUri: string;
  /** The last form that the application received. */
  let posted: URLSearchParams | null = null;
  let user: User;
  let config: oauth.Configuration;
  beforeAll(async () => {
    service = await startTestPetstore();
    application = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        if (request.method === 'POST') posted = new URLSearchParams(body);
        const title = request.url?.startsWith('/signed-out') ? 'Back at the shop' : 'Signed in';
        response.setHeader('content-type', 'text/html').end(`<!doctype html><h1>${title}</h1>`);
      });
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/signed-in`;
    signedOutUri = redirectUri.replace('signed-in', 'signed-out');
    user = await createPerson(service);
    const terms = { redirectUris: [redirectUri], postLogoutRedirectUris: [signedOutUri], device: true };
    config = await discover(service, await addClient(service, { name: 'Pet Finder', ...terms }));
  });
  afterAll(async () => {
    await close();
    await service.stop();
    application.closeAllConnections();
    application.close();
  });

  let currentDisplay: Display;
  const inTab = async (work: (tab: Tab) => Promise<void>): Promise<void> => {
    const tab = await newTab(currentDisplay);
    try {
      await work(tab);
    } finally {
      await tab.close();
    }
  };
  /** Expects no accessibility violation, no horizontal scrolling and no reported error. */
  const expectGood = async (tab: Tab, name: string): Promise<void> => {
    if (process.env['SHOTS'])
      writeFileSync(
        `${process.env['SHOTS']}/${name}-${currentDisplay.width}-${currentDisplay.dark ? 'dark' : 'light'}.png`,
        await tab.screenshot(),
      );
    await tab.evaluate(AXE);
    const found = await tab.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]))`);
    expect(found).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(currentDisplay.width);
    expect(tab.reportedErrors().filter((text) => !/422|400|favicon/.test(text))).toEqual([]);
  };
  const signIn = async (tab: Tab, password = PASSWORD, username = user.username): Promise<void> => {
    await fill(tab, 'username', username);
    await fill(tab, 'password', password);
    await press(tab, 'Sign in');
  };
  const location = (tab: Tab) => tab.evaluate<string>('location.href');

  describe.each(DISPLAYS)('on %s', (_, display) => {
    beforeAll(() => {
      currentDisplay = display;
    });

    it('let a person sign in after a mistake and give access', () =>
      inTab(async (tab) => {
        const { url, verifier, state } = await authorizationRequest(config, { redirect_uri: redirectUri });
        await tab.open(url.href);
        await waitForHeading(tab, 'Sign in');
        // A browser gives the focus to a field when it first draws the page, which may be after the page has loaded.
        await eventually('the focus', () => tab.evaluate<boolean>(`document.activeElement.id === 'username'`));
        await expectGood(tab, 'sign-in');
        await signIn(tab, 'wrong password');
        const showsFault = `document.readyState === 'complete' && document.querySelector('.fault') !== null`;
        await eventually('the fault', () => tab.evaluate<boolean>(showsFault));
        await expectGood(tab, 'sign-in-wrong');
        await signIn(tab);
        await waitForHeading(tab, 'Give access');
        await expectGood(tab, 'consent');
        await press(tab, 'Give access');
        await waitForHeading(tab, 'Signed in');
        const answer = new URL(await location(tab));
        const tokens = await oauth.authorizationCodeGrant(config, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          idTokenExpected: true,
        });
        expect(tokens.claims()?.sub).toBe(user.id);
      }));

    it('let a person deny access, and show what is wrong with a request', () =>
      inTab(async (tab) => {
        await tab.open((await authorizationRequest(config, { redirect_uri: redirectUri })).url.href);
        await waitForHeading(tab, 'Sign in');
        await signIn(tab);
        await waitForHeading(tab, 'Give access');
        await press(tab, 'Refuse');
        await waitForHeading(tab, 'Signed in');
        expect(new URL(await location(tab)).searchParams.get('error')).toBe('access_denied');
        await tab.open(`${service.url}/oauth/authorize?client_id=unknown`);
        await expectGood(tab, 'error');
      }));

    it('send the answer as a form without a press of the button, and sign the person out again', () =>
      inTab(async (tab) => {
        const { url, verifier, state } = await authorizationRequest(config, { redirect_uri: redirectUri, response_mode: 'form_post' });
        await tab.open(url.href);
        await waitForHeading(tab, 'Sign in');
        await signIn(tab);
        await waitForHeading(tab, 'Give access');
        await press(tab, 'Give access');
        await waitForHeading(tab, 'Signed in');
        expect([await location(tab), posted?.get('state')]).toEqual([redirectUri, state]);
        const request = new Request(redirectUri, { method: 'POST', body: posted });
        const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
        const tokens = await oauth.authorizationCodeGrant(config, request, checks);
        await tab.open(
          oauth.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: signedOutUri, state }).href,
        );
        await waitForHeading(tab, 'Sign out');
        await expectGood(tab, 'sign-out');
        await press(tab, 'Sign out');
        await waitForHeading(tab, 'Back at the shop');
        expect(new URL(await location(tab)).searchParams.get('state')).toBe(state);
        expect((await service.request('GET', '/v1/users/me', { token: tokens.access_token })).status).toBe(401);
        await tab.open(`${service.url}/oauth/logout`);
        await expectGood(tab, 'sign-out-refused');
      }));

    it('show long names, a tenant and every scope', () =>
      inTab(async (tab) => {
        const tenant = randomUUID();
        const staff = await createPerson(service, { tenant });
        const token = await service.token('ops');
        expect((await service.request('PUT', `/v1/ops/users/${staff.id}/staff`, { token, tenant })).status).toBe(204);
        const uri = `https://${'pets'.repeat(15)}.example/${'signed-in/'.repeat(40)}`;
        const client = await addClient(service, { name: 'PetFinder'.repeat(11), redirectUris: [uri] }, { tenant });
        // Only a request for consent may ask for offline_access (OpenID Connect Core, 11).
        const terms = { redirect_uri: uri, scope: Object.keys(SCOPE_WORDS).join(' '), prompt: 'consent' };
        await tab.open((await authorizationRequest(await discover(service, client), terms)).url.href);
        await waitForHeading(tab, 'Sign in');
        await expectGood(tab, 'sign-in-long');
        await signIn(tab, PASSWORD, staff.username);
        await waitForHeading(tab, 'Give access');
        const text = await tab.evaluate<string>('document.body.innerText');
        for (const words of [tenant, client.name, uri, ...Object.values(SCOPE_WORDS)]) expect(text).toContain(words);
        await expectGood(tab, 'consent-long');
      }));

    it('let a person connect a device', () =>
      inTab(async (tab) => {
        const device = await oauth.initiateDeviceAuthorization(config, { scope: 'openid read:pets' });
        await tab.open(`${service.url}/oauth/device`);
        await expectGood(tab, 'device');
        await fill(tab, 'user_code', device.user_code);
        await press(tab, 'Continue');
        await waitForHeading(tab, 'Is this your device?');
        await expectGood(tab, 'device-confirm');
        await press(tab, 'Continue');
        await waitForHeading(tab, 'Sign in');
        await signIn(tab);
        await waitForHeading(tab, 'Give access');
        await press(tab, 'Give access');
        await waitForHeading(tab, 'Device connected');
        await expectGood(tab, 'device-done');
        expect((await oauth.pollDeviceAuthorizationGrant(config, device)).access_token).toEqual(expect.any(String));
      }));
  });
});
