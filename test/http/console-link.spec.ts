import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { operatorName } from '../../apps/petstore/commands/ops/run-as-operator.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import type { SecurityEventData } from '../../libs/domain/security/security.decider.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { readHistory } from '../../libs/runtime/codec/verified-history.js';
import { openSealed } from '../../libs/runtime/codec/sealing.js';
import { parseSettings, type Environment } from '../../libs/settings/settings.js';
import { caller } from '../servers/calling.js';
import { createClient, type Client, type HttpResponse } from '../servers/client.js';
import { stopByClock } from '../stop-by-clock.js';
import { expectProblem } from './problems.js';

const LINK = '/ops/link';
const STAFF_SCOPES = ['read:pets', 'chat:write', 'write:pets', 'write:orders', 'write:webhooks', 'audit:read', 'ops'];
const OUTSIDE = { OIDC_ISSUER: 'https://login.example.com', OIDC_AUDIENCE: 'petstore' };

type Answer = { readonly token: string; readonly tokenType: string; readonly expiresAt: string };
type Headers = Readonly<Record<string, string>>;

const clock = manualClock('2026-01-02T03:04:05.678Z');
let running: RunningPetstore;
let client: Client;
let log: string;
afterEach(async () => {
  client.close();
  await stopByClock(clock, running);
});

/** Starts a service that gives links. */
const open = async (env: Environment = {}, options: { readonly linkUser?: string } = { linkUser: operatorName() }) => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'trace', ...env });
  log = '';
  running = await start(settings, pino({ level: 'trace' }, { write: (line: string) => void (log += line) }), { clock, ...options });
  client = createClient(running.url);
  const { url, store } = running;
  const send = (secret: string, headers: Headers = { origin: url }) =>
    client.send('POST', LINK, { body: { secret }, headers }) as Promise<HttpResponse<Answer>>;
  const sendRaw = (raw: string, headers: Headers = {}) => client.send('POST', LINK, { raw, headers: { origin: url, ...headers } });
  const eventsOf = async (stream: string) => readHistory(store, `${stream}-${clock.now().toISOString().slice(0, 10)}`);
  const securityEvents = async () =>
    Promise.all(
      (await eventsOf('security')).map(
        async ({ data }) => JSON.parse(await openSealed(store.keys, JSON.stringify(data))) as SecurityEventData,
      ),
    );
  return { url, send, sendRaw, eventsOf, securityEvents, secret: running.createLink() ?? '' };
};

/** Proves contract 43.11. */
describe('the exchange of a one-time link', () => {
  it('gives a token of an hour with all scopes of staff, for the user of this machine', async () => {
    const { url, send, secret } = await open();
    const { status, headers, json } = await send(secret);
    expect([status, headers['cache-control'], json]).toEqual([
      200,
      'no-store',
      { token: expect.any(String), tokenType: 'Bearer', expiresAt: '2026-01-02T04:04:05.000Z' },
    ]);
    const payload = JSON.parse(Buffer.from(json.token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(payload).toMatchObject({ sub: `cli:${operatorName()}`, client_id: 'console', scope: expect.any(String), iss: url });
    expect((payload as { scope: string }).scope.split(' ').toSorted()).toEqual(STAFF_SCOPES.toSorted());
    expect(payload).not.toHaveProperty('tenant');
    const operator = caller(url, json.token);
    expect((await operator('GET', '/v1/ops/health')).status).toBe(200);
    clock.advance(3_600_000);
    expect((await operator('GET', '/v1/ops/health')).status).toBe(401);
  });

  it('makes what the user does an event with its name', async () => {
    const { url, send, secret, eventsOf } = await open();
    const operator = caller(url, (await send(secret)).json.token);
    expect((await operator('POST', '/v1/ops/projections/webhooks/pause', { body: { reason: 'to see it' } })).status).toBe(204);
    expect((await eventsOf('operations')).map(({ meta }) => meta.actor)).toEqual([`cli:${operatorName()}`]);
  });

  it('works once, also for 20 requests at the same time', async () => {
    const { send, secret } = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(secret)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(403)]);
    expectProblem(await send(secret), 403, 'forbidden');
  });

  it('works for 10 minutes', async () => {
    const { send, secret } = await open();
    clock.advance(600_000);
    expectProblem(await send(secret), 403, 'forbidden');
    const another = running.createLink() ?? '';
    clock.advance(599_999);
    expect((await send(another)).status).toBe(200);
  });

  it.each([
    ['a wrong secret', { secret: 'A'.repeat(43) }],
    ['an empty secret', { secret: '' }],
    ['a secret that is no text', { secret: 7 }],
    ['no secret', {}],
    ['no object', null],
  ])('is refused with %s, which does not use the link up', async (_, body) => {
    const { send, sendRaw, secret } = await open();
    expectProblem(await sendRaw(JSON.stringify(body)), 403, 'forbidden');
    expect((await send(secret)).status).toBe(200);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a document without an origin', { origin: 'null' }],
    ['another scheme', (url: string) => ({ origin: url.replace('http:', 'https:') })],
    ['a program without an origin', {}],
    ['another site by Sec-Fetch-Site', (url: string) => ({ origin: url, 'sec-fetch-site': 'cross-site' })],
    ['another port by Sec-Fetch-Site', (url: string) => ({ origin: url, 'sec-fetch-site': 'same-site' })],
  ] as readonly (readonly [string, Headers | ((url: string) => Headers)])[])(
    'is refused from %s, which does not use the link up',
    async (_, headers) => {
      const { url, send, secret } = await open({ CORS_ORIGINS: 'https://evil.example' });
      expectProblem(await send(secret, typeof headers === 'function' ? headers(url) : headers), 403, 'forbidden');
      expect((await send(secret, { origin: url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    },
  );

  it.each([
    [{}, 'http://localhost:PORT'],
    [{}, 'http://127.0.0.1:PORT'],
    [{ PUBLIC_URL: 'http://localhost:8080/shop' }, 'http://localhost:8080'],
    [{ PUBLIC_URL: 'http://localhost:8080/shop' }, 'http://127.0.0.1:PORT'],
    [OUTSIDE, 'http://127.0.0.1:PORT'],
  ])('with %j is accepted from a page at %s', async (env, origin) => {
    const { url, send, secret } = await open(env);
    const { status, json } = await send(secret, { origin: origin.replace('PORT', new URL(url).port) });
    expect([status, (await caller(url, json.token)('GET', '/v1/ops/health')).status]).toEqual([200, 200]);
  });

  it('takes JSON of at most 1 KiB, and no other method', async () => {
    const { sendRaw, send, secret } = await open();
    const padded = (bytes: number) => JSON.stringify({ secret: 'x', more: '' }).replace('""', `"${'x'.repeat(bytes - 24)}"`);
    expect([padded(1_024).length, padded(1_025).length]).toEqual([1_024, 1_025]);
    expectProblem(await sendRaw(padded(1_024)), 403, 'forbidden');
    expectProblem(await sendRaw(padded(1_025)), 413, 'content-too-large');
    expectProblem(
      await sendRaw(`secret=${secret}`, { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported-media-type',
    );
    expectProblem(await sendRaw(JSON.stringify({ secret }), { 'content-type': 'text/plain' }), 415, 'unsupported-media-type');
    expectProblem(await sendRaw(`{"secret": "${secret}`), 400, 'malformed-request');
    expectProblem(await client.send('GET', LINK), 405, 'method-not-allowed');
    expect((await send(secret)).status).toBe(200);
  });

  it('counts towards the common rate limit, by address', async () => {
    const { send, secret } = await open({ RATE_LIMIT: '3/60s' });
    for (let attempt = 0; attempt < 3; attempt++) expectProblem(await send('wrong'), 403, 'forbidden');
    expectProblem(await send(secret), 429, 'too-many-requests');
  });

  it('writes no secret and no token to the log and to problems', async () => {
    const { send, sendRaw, secret } = await open();
    const { text } = await send(secret, { origin: 'https://evil.example' });
    const { text: malformed } = await sendRaw(`{"secret": "${secret}`);
    const { token } = (await send(secret)).json;
    expect(text + malformed).not.toContain(secret);
    expect(log).toContain('"path":"/ops/link"');
    for (const hidden of [secret, token]) expect(log).not.toContain(hidden);
  });

  it('does not exist in a process that gives no link', async () => {
    const { send, secret } = await open({}, {});
    expect(secret).toBe('');
    expectProblem(await send('any'), 404, 'not-found');
    expectProblem(await client.send('GET', LINK), 404, 'not-found');
  });
});

/** Proves contract 34.1 and contract 43.11. */
describe('an exchange of a one-time link', () => {
  it('is a security event, and so is each failed one, with their number', async () => {
    const { send, secret, securityEvents } = await open();
    await send('wrong');
    await send(secret, { origin: 'https://evil.example' });
    clock.advance(1_000);
    await send('wrong again');
    await send(secret);
    const common = { operation: 'consoleLink', address: '127.0.0.1' };
    const failed = { ...common, kind: 'sign-in-failed', actor: 'anonymous', status: 403 };
    expect(await securityEvents()).toEqual([
      { ...failed, count: 1 },
      { ...failed, count: 2 },
      { ...common, kind: 'sign-in', actor: `cli:${operatorName()}` },
    ]);
  });
});

/** Proves contract 43.11 and contract 32.9. */
describe('without a link', () => {
  it.each(['/ops', '/ops/signed-in', '/docs'])('%s gives no token to anybody', async (path) => {
    const { url } = await open();
    const { headers, text } = await client.send('GET', path, { headers: { accept: 'text/html' } });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(text).not.toMatch(/eyJ[\w-]+\./);
    expect((await caller(url)('GET', '/v1/ops/health')).status).toBe(401);
  });
});
