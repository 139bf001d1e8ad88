import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contracts } from '../../../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages } from '../../../../libs/contracts/message-contract.js';
import { exampleOf } from '../../../../libs/contracts/message-schema.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { ERROR_CODES } from '../../http/problems/error-codes.js';
import { PROBLEMS, type ProblemKind } from '../../http/problems/problem-kinds.js';
import { OPERATIONS } from '../../operations.js';
import { operationProblems } from '../operation-problems.js';
import { PROBLEM_EXAMPLES } from './errors/problem-examples.js';
import { landingHtml } from './landing/landing.js';
import { escapeHtml } from './page.js';
import { kindOf, runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';

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

  const textOf = (html: string): string =>
    html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

  it.each(Object.entries(PROBLEMS))('/errors/%s has the cause, the remedy and an example', async (kind, { title, cause, remedy }) => {
    const response = await api.inject({ url: `/errors/${kind}` });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { method, path, detail } = PROBLEM_EXAMPLES[kind as ProblemKind];
    const text = textOf(response.body);
    for (const part of [
      title,
      cause,
      remedy,
      `${method} ${path} HTTP/1.1`,
      `"type": "https://pets.test/errors/${kind}"`,
      `"detail": "${detail}"`,
    ])
      expect(text).toContain(part);
  });

  it.each([
    ['conflict', 'createOrder'],
    ['precondition-failed', 'updatePet'],
  ])('/errors/%s links every operation that may return the problem, such as %s', async (kind, id) => {
    const { body } = await api.inject({ url: `/errors/${kind}` });
    const linked = [...body.matchAll(/href="\/docs#\/\w+\/(\w+)"/g)].map(([, operation]) => operation);
    const answering = Object.values(OPERATIONS).filter((operation) => operationProblems(operation).includes(kind as ProblemKind));
    expect(linked).toEqual(answering.map((operation) => operation.id));
    expect(linked).toContain(id);
    expect(linked).not.toContain('getPet');
  });

  it.each([
    ['unauthorized', 'Every operation of'],
    ['misdirected-request', 'Any address may return this problem'],
    ['history-altered', 'Every operation that reads or changes the resource'],
  ])('/errors/%s has a sentence instead of a list of operations: "%s"', async (kind, sentence) =>
    expect((await api.inject({ url: `/errors/${kind}` })).body).toContain(sentence),
  );

  it('/errors lists every kind and every code', async () => {
    const { body } = await api.inject({ url: '/errors' });
    for (const kind of Object.keys(PROBLEMS)) expect(body).toContain(`href="/errors/${kind}"`);
    for (const [code, meaning] of Object.entries(ERROR_CODES)) expect(body).toContain(`<code>${code}</code></td><td>${meaning}`);
  });

  it('/errors/toString is 404, because it is not a kind of problem', async () =>
    expect((await api.inject({ url: '/errors/toString' })).statusCode).toBe(404));

  it.each(['/docs', '/docs/classic', '/docs/events', '/errors', '/'])('%s loads files of this service only', async (url) => {
    const { body, headers } = await api.inject({ url, headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
    for (const [, address] of body.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"/g)) {
      expect(address).toMatch(/^\/docs\//);
      expect((await api.inject({ url: String(address) })).statusCode).toBe(200);
    }
  });

  it.each([
    ['/docs', '/docs/reference.json', 'createPet'],
    ['/docs/classic', '/docs/classic.json', 'addPet'],
  ])('%s is a tab of the reference, and shows a document with the operation %3$s', async (url, address, id) => {
    const { body } = await api.inject({ url });
    expect(body.match(/<nav class="tabs".*<\/nav>/)?.[0].match(/href="[^"]*"/g)).toEqual(['href="/docs"', 'href="/docs/classic"']);
    expect(body).toContain(`<a href="${url}" aria-current="page">`);
    expect(body).toContain(`data-document="${address}"`);
    expect((await api.inject({ url: address })).body).toContain(`"operationId":"${id}"`);
  });

  it.each([
    ['/docs', Object.values(OPERATIONS).map(({ tag, id }) => `#/${tag}/${id}`)],
    ['/docs/classic', ['#/pet/addPet', '#/store/placeOrder', '#/user/loginUser']],
  ])('%s has a sidebar with every operation in the order of use', async (url, hrefs) => {
    const [sidebar = ''] = /<nav class="contents".*?<\/nav>/s.exec((await api.inject({ url })).body) ?? [];
    const linked = [...sidebar.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    expect(linked.filter((href) => hrefs.includes(href ?? ''))).toEqual(hrefs);
  });

  it.each(['br', 'gzip', 'identity', undefined])('are sent with the coding that the browser accepts: %s', async (coding) => {
    const headers = coding === undefined ? {} : { 'accept-encoding': `deflate, ${coding}` };
    const { rawPayload, ...sent } = await api.inject({ url: '/docs/swagger-ui-bundle.js', headers });
    const sentCoding = sent.headers['content-encoding'];
    expect([sentCoding, sent.headers['vary']]).toEqual([coding === 'identity' ? undefined : coding, 'Accept-Encoding']);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(sentCoding)] ?? ((bytes: Buffer) => bytes);
    expect(decode(rawPayload).toString('utf8')).toBe((await api.inject({ url: '/docs/swagger-ui-bundle.js' })).body);
    const known = { ...headers, 'if-none-match': String(sent.headers['etag']) };
    expect((await api.inject({ url: '/docs/swagger-ui-bundle.js', headers: known })).statusCode).toBe(304);
    const other = { 'accept-encoding': coding === 'br' ? 'gzip' : 'br', 'if-none-match': String(sent.headers['etag']) };
    expect((await api.inject({ url: '/docs/swagger-ui-bundle.js', headers: other })).statusCode).toBe(200);
  });

  it('/docs/swagger-ui-bundle.js is the script of Swagger UI, which a browser can cache', async () => {
    const bundle = await api.inject({ url: '/docs/swagger-ui-bundle.js' });
    expect(bundle.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(bundle.body.length).toBeGreaterThan(1_000_000);
    const again = await api.inject({ url: '/docs/swagger-ui-bundle.js', headers: { 'if-none-match': String(bundle.headers['etag']) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('/docs/events has every message of every topic, with an example and all its properties', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    for (const contract of contracts) {
      const { topic, category } = contract;
      expect(body).toContain(`<h3 id="${topic}">`);
      for (const [type, { schema }] of publishedMessages(contract)) {
        const [, panel = ''] = new RegExp(`id="${messageTypeOf(category, type)}">(.*?)</details>`, 's').exec(body) ?? [];
        expect(panel).toContain(escapeHtml(JSON.stringify(exampleOf(schema), null, 2)));
        for (const name of Object.keys(schema['properties'] ?? {})) expect(panel).toContain(`<code>${name}</code>`);
      }
    }
  });

  it('/docs/events has every webhook event and the callback, with their headers', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    for (const { eventType, schema } of webhookContracts) {
      expect(body).toContain(`id="${eventType}"`);
      expect(body).toContain(escapeHtml(JSON.stringify(exampleOf(schema), null, 2)));
    }
    for (const part of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'id="order-callback"']) expect(body).toContain(part);
  });

  it.each([
    [{}, 'has 10 attempts: the first at once, the others after further delays of 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h.'],
    [{ WEBHOOK_RETRY_DELAYS: '0s,250ms,15m' }, 'has 3 attempts: the first at once, the others after further delays of 0.25 s, 15 min.'],
    [{ WEBHOOK_RETRY_DELAYS: '2s' }, 'has 1 attempt: after 2 s.'],
  ])('/docs/events shows the delays between attempts with the settings %j', async (env, shown) => {
    const configured = await runningApi(env);
    expect((await configured.inject({ url: '/docs/events' })).body).toContain(shown);
    await configured.app.close();
  });

  it('/docs/events lists every message in its table of contents', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    const [contents = ''] = /<nav class="contents".*?<\/nav>/s.exec(body) ?? [];
    const panels = [...body.matchAll(/<details class="message" id="([^"]+)"/g)].map(([, id]) => id);
    expect(panels.length).toBeGreaterThan(webhookContracts.length);
    for (const id of panels) expect(contents).toContain(`href="#${id}"`);
  });

  it('/docs/events links only to existing anchors', async () => {
    const { body } = await api.inject({ url: '/docs/events' });
    for (const [, anchor] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${anchor}"`);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('/ is a page for browsers, with a token command, the way to a paid order and five links', async () => {
    const { headers, body } = await api.inject({ url: '/', headers: { accept: 'text/html' } });
    expect([headers['content-type'], headers['vary']]).toEqual(['text/html; charset=utf-8', 'Accept']);
    expect(textOf(body)).toContain('TOKEN=$(petstore token --scope "write:pets read:pets")');
    expect(body).toContain('curl -s https://pets.test/v1/pets');
    const links = [...body.matchAll(/<li><a href="([^"]+)"><strong>/g)].map(([, address]) => address);
    expect(links).toEqual(['/docs', '/docs/events', '/docs/guides', '/ops', '/errors']);
  });

  it('/ names the operation that gives a token, if no command can create one', () => {
    const page = textOf(landingHtml('http://127.0.0.1:3000', null));
    expect(page).toMatch(/in memory, so no command can create a token.*POST \/v1\/auth\/tokens/s);
    expect(page).not.toContain('TOKEN=$');
  });

  it('/ is JSON for programs', async () => {
    const { headers, json } = await api.inject({ url: '/', headers: { accept: '*/*' } });
    expect([headers['content-type'], headers['vary']]).toEqual(['application/json; charset=utf-8', 'Accept']);
    expect(json()).toMatchObject({ version: '1.0.0', links: { '/docs': expect.any(String) } });
  });

  it.each(['/nothing', '/errors/nothing', '/docs/nothing.js'])(
    'a 404 at %s is a page for browsers and a problem for programs (contract 2.1)',
    async (url) => {
      const page = await api.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([page.statusCode, page.headers['content-type'], page.headers['vary']]).toEqual([404, 'text/html; charset=utf-8', 'Accept']);
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none';/),
      });
      const problem = await api.inject({ url, headers: { accept: '*/*' } });
      expect([problem.statusCode, kindOf(problem), problem.headers['vary']]).toEqual([404, 'not-found', 'Accept']);
    },
  );

  it.each(['/v1', '/v1/nothing', '/v1/pets/0190a6b2-7c1e-7a34-9b0f-000000000000/nothing'])(
    'a 404 at %s is a problem for browsers too (contract 4.7)',
    async (url) => {
      const problem = await api.inject({ url, headers: { accept: 'text/html' } });
      expect([problem.statusCode, kindOf(problem), problem.headers['vary']]).toEqual([404, 'not-found', undefined]);
    },
  );

  it('/favicon.ico is the icon of the pages', async () =>
    expect((await api.inject({ url: '/favicon.ico' })).body).toBe((await api.inject({ url: '/docs/favicon.svg' })).body));

  it('/health/live answers 200 even if the store is not ready', async () => {
    up = false;
    expect((await api.inject({ url: '/health/live' })).statusCode).toBe(200);
  });

  it.each([
    [200, true, { status: 'ok', details: { store: { status: 'up' } } }],
    [503, false, { status: 'error', details: { store: { status: 'down', message: 'recovering' } } }],
  ])('/health/ready answers %i if the readiness of the store is %s', async (status, state, body) => {
    up = state;
    const response = await api.inject({ url: '/health/ready' });
    expect([response.statusCode, response.json()]).toMatchObject([status, body]);
  });
});
