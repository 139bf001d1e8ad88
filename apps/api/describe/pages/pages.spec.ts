import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contracts } from '../../../../libs/contracts/contracts.js';
import { messageTypeOf } from '../../../../libs/contracts/message-contract.js';
import { exampleOf } from '../../../../libs/contracts/message-schema.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { ERROR_CODES } from '../../http/problems/error-codes.js';
import { PROBLEMS } from '../../http/problems/problem-kinds.js';
import { escapeHtml } from './page.js';
import { runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';

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

  it.each(['/docs', '/docs/events', '/errors', '/'])('%s loads nothing from elsewhere', async (url) => {
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

  it('/docs/events has every message of every topic, with an example and all its properties', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    for (const { topic, category, on } of contracts) {
      expect(body).toContain(`<h3 id="${topic}">`);
      for (const [type, { schema }] of Object.entries(on)) {
        const [, shown = ''] = new RegExp(`id="${messageTypeOf(category, type)}">(.*?)</details>`, 's').exec(body) ?? [];
        expect(shown).toContain(escapeHtml(JSON.stringify(exampleOf(schema), null, 2)));
        for (const name of Object.keys(schema['properties'] ?? {})) expect(shown).toContain(`<code>${name}</code>`);
      }
    }
  });

  it('/docs/events has every webhook event, and the callback, with what they are sent with', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    for (const { eventType, schema } of webhookContracts) {
      expect(body).toContain(`id="${eventType}"`);
      expect(body).toContain(escapeHtml(JSON.stringify(exampleOf(schema), null, 2)));
    }
    for (const said of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'id="order-callback"']) expect(body).toContain(said);
  });

  it('/docs/events leads only to what is there', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    for (const [, place] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${place}"`);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
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
