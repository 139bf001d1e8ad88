import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import { eventually } from '../eventually.js';
import { fill, press, startBrowser, waitForHeading, type Tab } from '../servers/browser.js';
import { startPrefixProxy, type PrefixProxy } from '../servers/prefix-proxy.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startStoreWith, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { fileUpload, PIXEL } from './image-files.js';
import { addClient, authorizationRequest, createPerson, discover, PASSWORD } from './oauth-people.js';

const DESKTOP = { width: 1280, height: 900, dark: false };

const browser = await startBrowser();
/** Proves contract 1.5, contract 32.1 and contract 32.3. */
describeIfAvailable('the pages at other addresses, in Chromium', browser, ({ newTab, close }) => {
  let plain: TestPetstore;
  let proxy: PrefixProxy;
  let prefixed: TestPetstore;
  let application: Server;
  let port: number;
  beforeAll(async () => {
    plain = await startTestPetstore();
    proxy = await startPrefixProxy('/shop');
    const store = await startStoreWith({ PUBLIC_URL: proxy.publicUrl });
    proxy.passTo(store.url);
    prefixed = { ...store, url: proxy.publicUrl };
    application = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Signed in</h1>'));
    await new Promise<void>((resolve) => application.listen(0, '::', resolve));
    ({ port } = application.address() as AddressInfo);
  });
  afterAll(async () => {
    await close();
    await plain.stop();
    await prefixed.stop();
    proxy.close();
    application.closeAllConnections();
    application.close();
  });

  const inTab = async (work: (tab: Tab) => Promise<void>): Promise<void> => {
    const tab = await newTab(DESKTOP);
    try {
      await work(tab);
    } finally {
      await tab.close();
    }
  };
  const signInAndAllow = async (tab: Tab, username: string): Promise<void> => {
    await waitForHeading(tab, 'Sign in');
    await fill(tab, 'username', username);
    await fill(tab, 'password', PASSWORD);
    await press(tab, 'Sign in');
    await waitForHeading(tab, 'Give access');
    await press(tab, 'Give access');
  };

  it.each([
    ['behind a path', () => prefixed, (url: URL) => url.href, '127.0.0.1'],
    ['from localhost', () => plain, (url: URL) => url.href.replace('127.0.0.1', 'localhost'), '127.0.0.1'],
    ['to an application at [::1]', () => plain, (url: URL) => url.href, '[::1]'],
  ])('sign a person in with the code flow %s', (_, storeOf, addressOf, host) =>
    inTab(async (tab) => {
      const store = storeOf();
      const redirectUri = `http://${host}:${port}/signed-in`;
      const user = await createPerson(store);
      const config = await discover(store, await addClient(store, { redirectUris: [redirectUri] }));
      const { url, verifier, state } = await authorizationRequest(config, { redirect_uri: redirectUri });
      await tab.open(addressOf(url));
      await signInAndAllow(tab, user.username);
      await waitForHeading(tab, 'Signed in');
      const answer = new URL(await tab.evaluate<string>('location.href'));
      const tokens = await oauth.authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        idTokenExpected: true,
      });
      expect(tokens.claims()?.sub).toBe(user.id);
      expect(tab.reportedErrors()).toEqual([]);
    }),
  );

  it.each([
    ['behind a path', () => prefixed, (url: string) => url],
    ['from localhost', () => plain, (url: string) => url.replace('127.0.0.1', 'localhost')],
  ])('connect a device %s', (_, storeOf, addressOf) =>
    inTab(async (tab) => {
      const store = storeOf();
      const { username } = await createPerson(store);
      const config = await discover(store, await addClient(store, { device: true }));
      const device = await oauth.initiateDeviceAuthorization(config, { scope: 'openid read:pets' });
      await tab.open(addressOf(device.verification_uri));
      await waitForHeading(tab, 'Connect a device');
      await fill(tab, 'user_code', device.user_code);
      await press(tab, 'Continue');
      await waitForHeading(tab, 'Is this your device?');
      await press(tab, 'Continue');
      await signInAndAllow(tab, username);
      await waitForHeading(tab, 'Device connected');
      expect((await oauth.pollDeviceAuthorizationGrant(config, device)).access_token).toEqual(expect.any(String));
      expect(tab.reportedErrors()).toEqual([]);
    }),
  );

  it('show the reference, try an operation out and show an image behind a path', () =>
    inTab(async (tab) => {
      const headers = { authorization: `Bearer ${await prefixed.token('write:pets')}` };
      const pet = await fetch(`${proxy.publicUrl}/v1/pets`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Luna', species: 'CAT', ageMonths: 3 }),
      });
      const upload = fileUpload(PIXEL);
      await fetch(`${pet.headers.get('location')}/images`, {
        method: 'POST',
        headers: { ...headers, ...upload.headers },
        body: upload.raw,
      });
      // The groups are closed, so the address names the operation.
      await tab.open(`${proxy.publicUrl}/docs#/Pets/listPets`);
      await eventually('the button', () =>
        tab.evaluate<boolean>(`document.querySelector('#operations-Pets-listPets .try-out__btn') !== null`),
      );
      await tab.evaluate(`document.querySelector('#operations-Pets-listPets .try-out__btn').click()`);
      await eventually('the button to send', () =>
        tab.evaluate<boolean>(`document.querySelector('#operations-Pets-listPets .execute') !== null`),
      );
      await tab.evaluate(`document.querySelector('#operations-Pets-listPets .execute').click()`);
      const body = `document.querySelector('#operations-Pets-listPets .live-responses-table')?.textContent ?? ''`;
      const shown = await eventually('the response', async () => {
        const text = await tab.evaluate<string>(body);
        return text.includes('"photos"') ? text : null;
      });
      const photo = /http:\/\/127\.0\.0\.1:\d+\/shop\/v1\/pets\/[\w-]+\/images\/[\w-]+/.exec(shown)?.[0] ?? '';
      const width = await tab.evaluate<number>(
        `new Promise((resolve, reject) => { const image = new Image(); image.onload = () => resolve(image.naturalWidth); image.onerror = reject; image.src = ${JSON.stringify(photo)}; })`,
      );
      expect(width).toBe(1);
      expect(tab.reportedErrors()).toEqual([]);
    }));
});
