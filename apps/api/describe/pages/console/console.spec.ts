import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runningApi, type RunningApi } from '../../../testing/running-api.fixtures.js';
import { withPrefix } from '../page.js';
import { isConsoleBuilt } from '../page-files.js';
import { consoleHtml, signedInHtml } from './console-page.js';

const ISSUER = 'https://login.example.com/realms/pets/';
const OUTSIDE = { OIDC_ISSUER: ISSUER, OIDC_AUDIENCE: 'petstore' };
const OWN = {
  publicUrl: 'https://pets.test',
  clientId: 'console',
  scopeClaim: 'scope',
  tenantClaim: 'tenant',
  outsideIssuer: null,
  isBuilt: true,
};
const SIGNED_IN = signedInHtml({ isBuilt: true });
const FILES = ['console.js', 'console.css', 'verify.js'];

/** Returns the values that the script of the console reads. */
const dataIn = (html: string): object => {
  const [, attributes = ''] = /<div id="console"([^>]*)>/.exec(html) ?? [];
  return Object.fromEntries([...attributes.matchAll(/ data-(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
};

/** Proves contract 43.11 and contract 1.5. */
describe('the shell of the console', () => {
  it('tells its script where the service is, and as whom a person signs in', () => {
    expect(dataIn(consoleHtml(OWN))).toEqual({
      root: '/',
      public: 'https://pets.test',
      client: 'console',
      issuer: '',
      scopes: 'scope',
      tenant: 'tenant',
      return: 'ops/signed-in',
    });
    expect(dataIn(consoleHtml({ ...OWN, clientId: 'pets-console', outsideIssuer: ISSUER }))).toMatchObject({
      client: 'pets-console',
      issuer: ISSUER.slice(0, -1),
    });
  });

  it('has the path of PUBLIC_URL in its root and its files', () => {
    const html = withPrefix(consoleHtml({ ...OWN, publicUrl: 'https://pets.test/shop' }), { prefix: '/shop' });
    expect(dataIn(html)).toMatchObject({ root: '/shop/', return: 'ops/signed-in' });
    expect(html).toContain('<script type="module" src="/shop/ops/console.js">');
  });

  it('loads the script and the styles of the console only, and contains no inline script or style', () => {
    for (const html of [consoleHtml(OWN), SIGNED_IN]) {
      expect([...html.matchAll(/<script[^>]*src="([^"]*)"/g)].map(([, src]) => src)).toEqual(['/ops/console.js']);
      expect([...html.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
        '/ops/console.css',
        '/docs/petstore.css',
      ]);
      expect(html).not.toMatch(/<style| style=|<script(?![^>]*src=)/);
    }
    expect(SIGNED_IN).toContain('<div id="signed-in"></div>');
  });

  it('says how its files are built, and loads none of them, if they are missing', () => {
    for (const html of [consoleHtml({ ...OWN, isBuilt: false }), signedInHtml({ isBuilt: false })]) {
      expect(html).toContain('<code>npm run build</code>');
      expect(html).not.toContain('/ops/console.');
    }
    expect(consoleHtml(OWN)).not.toContain('npm run build');
  });
});

/** Proves contract 43.11. */
describe('the pages of the console', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi();
  });
  afterAll(() => api.app.close());

  it('are its shell, and a reload always gets the current one', async () => {
    const isBuilt = isConsoleBuilt();
    for (const [url, shell] of [
      ['/ops', consoleHtml({ ...OWN, isBuilt })],
      ['/ops/signed-in', signedInHtml({ isBuilt })],
    ] as const) {
      const { statusCode, headers, body } = await api.inject({ url });
      expect(body).toBe(shell);
      expect([statusCode, headers['cache-control'], headers['etag']]).toEqual([200, 'no-cache', undefined]);
    }
  });

  it('have files that a browser can cache, or none', async () => {
    for (const file of FILES) {
      const { statusCode, headers } = await api.inject({ url: `/ops/${file}` });
      if (!isConsoleBuilt()) expect([file, statusCode]).toEqual([file, 404]);
      else {
        expect([file, statusCode, headers['cache-control']]).toEqual([file, 200, 'no-cache']);
        const again = await api.inject({ url: `/ops/${file}`, headers: { 'if-none-match': String(headers['etag']) } });
        expect([file, again.statusCode]).toEqual([file, 304]);
      }
    }
    expect((await api.inject({ url: '/ops/other.js' })).statusCode).toBe(404);
  });

  it('let the worker send no requests, also if its file is cached', async () => {
    if (!isConsoleBuilt()) return;
    const { headers } = await api.inject({ url: '/ops/verify.js' });
    const again = await api.inject({ url: '/ops/verify.js', headers: { 'if-none-match': String(headers['etag']) } });
    for (const sent of [headers, again.headers]) expect(sent['content-security-policy']).toBe("default-src 'none'");
  });

  it.each([
    [{}, "connect-src 'self'"],
    [OUTSIDE, "connect-src 'self' https://login.example.com"],
    [{ ...OUTSIDE, OIDC_ISSUER: 'http://[::1]:8080' }, "connect-src 'self'"],
  ])('with %j may send requests to %s only', async (env, connect) => {
    const configured = await runningApi(env);
    for (const url of ['/ops', '/ops/signed-in']) {
      const { headers } = await configured.inject({ url });
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy.filter((part) => part.startsWith('connect-src'))).toEqual([connect]);
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ]),
      );
    }
    await configured.app.close();
  });

  it.each([
    [{}, 'console'],
    [OUTSIDE, ''],
    [{ ...OUTSIDE, CONSOLE_CLIENT_ID: 'pets-console' }, 'pets-console'],
  ])('with %j sign in as the client "%s"', async (env, client) => {
    const configured = await runningApi(env);
    expect(dataIn((await configured.inject({ url: '/ops' })).body)).toMatchObject({ client });
    await configured.app.close();
  });
});
