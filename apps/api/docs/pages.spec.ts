import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../http/error-codes.js';
import { PROBLEMS } from '../http/problem-kinds.js';
import { runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

describe('pages', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi(
      {},
      { health: [{ name: 'store', check: () => (up ? { ready: true } : { ready: false, reason: 'recovering' }) }] },
    );
  });
  afterAll(() => api.app.close());
  let up = true;

  it.each(Object.entries(PROBLEMS))('/errors/%s explains cause and remedy', async (kind, { title, cause, remedy }) => {
    const response = await api.inject({ url: `/errors/${kind}` });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const text = response.body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
    for (const said of [title, cause, remedy, `https://pets.test/errors/${kind}`]) expect(text).toContain(said);
  });

  it('/errors lists every kind and every code', async () => {
    const { body } = await api.inject({ url: '/errors' });
    for (const kind of Object.keys(PROBLEMS)) expect(body).toContain(`href="/errors/${kind}"`);
    for (const [code, meaning] of Object.entries(ERROR_CODES)) expect(body).toContain(`<code>${code}</code></td><td>${meaning}`);
  });

  it('/errors names no kind that could be any object’s own', async () =>
    expect((await api.inject({ url: '/errors/toString' })).statusCode).toBe(404));

  it.each(['/docs', '/errors', '/'])('%s loads nothing from elsewhere', async (url) => {
    const { body, headers } = await api.inject({ url, headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
    for (const [, address] of body.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"/g)) {
      expect(address).toMatch(/^\/docs\//);
      expect((await api.inject({ url: String(address) })).statusCode).toBe(200);
    }
  });

  it('/docs has the reference, whole', async () => {
    const bundle = await api.inject({ url: '/docs/swagger-ui-bundle.js' });
    expect(bundle.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(bundle.body.length).toBeGreaterThan(1_000_000);
    const again = await api.inject({ url: '/docs/swagger-ui-bundle.js', headers: { 'if-none-match': String(bundle.headers['etag']) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('/ shows people a page and programs the same as JSON', async () => {
    expect((await api.inject({ url: '/', headers: { accept: 'text/html' } })).headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await api.inject({ url: '/' })).json()).toMatchObject({ version: '1.0.0', links: { '/docs': expect.any(String) } });
  });

  it('/health/live answers whenever the process does', async () => {
    up = false;
    expect((await api.inject({ url: '/health/live' })).statusCode).toBe(200);
  });

  it.each([
    [true, 200, { status: 'ok', details: { store: { status: 'up' } } }],
    [false, 503, { status: 'error', details: { store: { status: 'down', message: 'recovering' } } }],
  ])('/health/ready with a store that is up: %s', async (state, status, body) => {
    up = state;
    const response = await api.inject({ url: '/health/ready' });
    expect([response.statusCode, response.json()]).toMatchObject([status, body]);
  });
});
