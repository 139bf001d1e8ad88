import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import { startPrefixProxy, type PrefixProxy } from '../servers/prefix-proxy.js';
import { startStoreWith, type TestPetstore } from '../servers/test-petstore.js';
import { fileUpload, PIXEL } from './image-files.js';
import { Browser, type Page } from './oauth-browser.js';
import { addClient, authorizationRequest, createPerson, discover, PASSWORD } from './oauth-people.js';

const PREFIX = '/shop';

/** The service, whose PUBLIC_URL is the address of the proxy with the prefix. */
let service: TestPetstore;
let proxy: PrefixProxy;
let origin: string;
let publicUrl: string;

beforeAll(async () => {
  proxy = await startPrefixProxy(PREFIX);
  ({ origin, publicUrl } = proxy);
  service = await startStoreWith({ PUBLIC_URL: publicUrl });
  proxy.passTo(service.url);
});
afterAll(async () => {
  proxy.close();
  await service.stop();
});

/** Returns the addresses in a page that are not in the page itself. */
const addressesIn = (html: string): readonly string[] =>
  [...html.matchAll(/\s(?:href|src|action|data-document|data-root)="([^"#]+)/g)].map(([, address = '']) => address);

/** Returns the texts of a JSON value that begin with the address of the proxy, or with that of any example. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [...value.matchAll(/https?:\/\/[^\s)"'`<>]+/g)].map(([address]) => address);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [...textsIn(key), ...textsIn(item)])
    : [];
};

const isForeign = (address: string): boolean => {
  const { host, origin: itsOrigin, pathname } = new URL(address, publicUrl);
  return itsOrigin !== origin && !/^(localhost|127\.0\.0\.1)(:|$)|^pets\.example\.com\/(v1|api)/.test(host + pathname);
};
const lacksPrefix = (address: string): boolean => !isForeign(address) && !new URL(address, publicUrl).href.startsWith(publicUrl);

const browser = (): Browser => new Browser(origin);
const wrongIn = ({ html, headers }: Page): readonly string[] => [
  ...addressesIn(html).filter(lacksPrefix),
  ...headers.getSetCookie().filter((cookie) => !new RegExp(`; path=${PREFIX}(/|;|$)`, 'i').test(cookie)),
];

/** Proves contract 1.5: behind a proxy that removes a path, every address of the service has it. */
describe('behind a proxy with a path', () => {
  it('every page links to, loads and posts to addresses with the path, and all of them exist', async () => {
    const seen = new Map<string, string>([[`${publicUrl}/`, 'the start']]);
    for (const [url, from] of seen) {
      const page = await browser().open(url, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([url, from, page.status]).toEqual([url, from, 200]);
      if (!/html/.test(page.headers.get('content-type') ?? '')) continue;
      expect([url, wrongIn(page)]).toEqual([url, []]);
      for (const address of addressesIn(page.html)) if (!isForeign(address)) seen.set(new URL(address, url).href, url);
    }
    expect(seen.size).toBeGreaterThan(40);
    const missing = await browser().open(`${publicUrl}/nothing`);
    expect([missing.status, wrongIn(missing)]).toEqual([404, []]);
  });

  it.each([
    '/',
    '/openapi.json',
    '/openapi-3.1.json',
    '/asyncapi.json',
    '/asyncapi-3.0.json',
    '/api/v3/openapi.json',
    '/docs/reference.json',
    '/docs/classic.json',
    '/.well-known/openid-configuration',
  ])('the document %s has no address without the path', async (path) => {
    const document = (await (await fetch(publicUrl + path, { headers: { accept: 'application/json' } })).json()) as {
      readonly links?: object;
    };
    expect(textsIn(document).filter(lacksPrefix)).toEqual([]);
    expect(Object.keys(document.links ?? {}).filter((address) => !address.startsWith(`${PREFIX}/`))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/\]\(\/(?!shop\/)/);
  });

  it('an answer has the path in its Location, links, photos and problem type', async () => {
    const headers = { authorization: `Bearer ${await service.token('write:pets')}`, 'content-type': 'application/json' };
    const pet = { name: 'Luna', species: 'CAT', ageMonths: 3 };
    const created = await fetch(`${publicUrl}/v1/pets`, { method: 'POST', headers, body: JSON.stringify(pet) });
    const location = created.headers.get('location') ?? '';
    const upload = fileUpload(PIXEL);
    await fetch(`${location}/images`, { method: 'POST', headers: { ...headers, ...upload.headers }, body: upload.raw });
    const { photos = [] } = (await (await fetch(location)).json()) as { readonly photos?: readonly string[] };
    expect((await fetch(photos[0] ?? '')).status).toBe(200);
    const list = (await (await fetch(`${publicUrl}/v1/pets`)).json()) as { readonly links: object };
    const problem = (await (await fetch(`${publicUrl}/v1/pets/none`)).json()) as { readonly type: string };
    expect([location, ...photos, ...textsIn(list.links), problem.type].filter(lacksPrefix)).toEqual([]);
  });

  it('the metadata are also where RFC 8414 puts them, after the well-known part', async () => {
    const config = await oauth.discovery(new URL(publicUrl), 'any', undefined, oauth.None(), {
      execute: [oauth.allowInsecureRequests],
      algorithm: 'oauth2',
    });
    expect([config.serverMetadata().issuer, config.serverMetadata().token_endpoint]).toEqual([publicUrl, `${publicUrl}/oauth/token`]);
  });

  it('a person signs in with the code flow', async () => {
    const { username } = await createPerson(service);
    const client = await addClient(service);
    const config = await discover({ ...service, url: publicUrl }, client);
    const { url, verifier, state } = await authorizationRequest(config);
    const person = browser();
    const pages = [await person.open(url.href)];
    pages.push(await person.submit(pages[0], { username, password: PASSWORD, action: 'sign-in' }));
    expect(pages.map(({ status, html }) => [status, /<h1>(.*?)<\/h1>/.exec(html)?.[1]])).toEqual([
      [200, 'Sign in'],
      [200, 'Give access to Pet Finder?'],
    ]);
    expect(pages.flatMap(wrongIn)).toEqual([]);
    expect(
      [...person.cookies.values()].map(({ path }) => path).filter((path) => path !== PREFIX && !path.startsWith(`${PREFIX}/`)),
    ).toEqual([]);
    const answer = new URL((await person.submit(pages[1], { action: 'allow' })).url);
    const tokens = await oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state });
    expect((await fetch(`${publicUrl}/v1/users/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } })).status).toBe(200);
  });

  it('a person connects a device', async () => {
    const { username } = await createPerson(service);
    const config = await discover({ ...service, url: publicUrl }, await addClient(service, { device: true }));
    const device = await oauth.initiateDeviceAuthorization(config, { scope: 'openid read:pets' });
    expect([device.verification_uri, device.verification_uri_complete ?? ''].filter(lacksPrefix)).toEqual([]);
    const person = browser();
    const pages: Page[] = [await person.open(device.verification_uri)];
    const next = async (fields: Readonly<Record<string, string>>) => pages.push(await person.submit(pages.at(-1) as Page, fields));
    await next({ user_code: device.user_code });
    await next({ confirm: 'yes' });
    await next({ username, password: PASSWORD, action: 'sign-in' });
    await next({ action: 'allow' });
    expect(pages.at(-1)?.html).toContain('Device connected');
    expect(pages.flatMap(wrongIn)).toEqual([]);
  });
});
