import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegisteredWebhook, Webhook, WebhookCollection, WebhookSecret } from '../../apps/api/webhooks/webhook.dto.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

const KEEPER = 'write:webhooks';
const TERMS = { url: 'https://shop.example.com/hooks', events: ['order.statusChanged', 'pet.adopted'] };

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

/** A tenant with a token for its endpoints. */
const openTenant = async (tenant: string = randomUUID()) => {
  const token = await service.token(KEEPER);
  const request = <T = unknown>(method: string, path: string, options: object = {}) =>
    service.request<T>(method, `/v1/webhooks${path}`, { tenant, token, ...options });
  return {
    tenant,
    request,
    register: (more: object = {}, options: object = {}) =>
      request<RegisteredWebhook>('POST', '', { body: { ...TERMS, ...more }, ...options }),
  };
};

/**
 * Proves contract 9.2, contract 18.1, contract 18.2, contract 18.3, contract 18.4, contract 21.1 and
 * contract 21.2.
 * Proves rows of contract 42.21.
 */
describe('registering an endpoint', () => {
  it('returns the endpoint and its secret, which reads do not show', async () => {
    const { request, register } = await openTenant();
    const { status, headers, json } = await register();
    const { secret, ...webhook } = json;
    expect(status).toBe(201);
    expect(webhook).toEqual({
      id: json.id,
      ...TERMS,
      ordered: false,
      status: 'enabled',
      createdAt: json.createdAt,
      updatedAt: json.createdAt,
    });
    expect(Buffer.from(/^whsec_(.+)$/.exec(secret)?.[1] ?? '', 'base64')).toHaveLength(32);
    expect(new URL(headers.location ?? '', service.url).pathname).toBe(`/v1/webhooks/${json.id}`);
    const read = await request('GET', `/${json.id}`);
    expect({ json: read.json, etag: read.headers.etag }).toEqual({ json: webhook, etag: headers.etag });
    for (const path of [`/${json.id}`, '']) expect((await request('GET', path)).text).not.toContain('whsec_');
  });

  it('gives each endpoint its own secret', async () => {
    const { register } = await openTenant();
    expect((await register()).json.secret).not.toBe((await register()).json.secret);
  });

  it('gives endpoints with one secretName the same secrets, also after a removal, but not another tenant', async () => {
    const { request, register } = await openTenant();
    const named = { secretName: 'my laptop' };
    const first = (await register(named)).json;
    expect(first.secretName).toBe('my laptop');
    const rotated = await request<WebhookSecret>('POST', `/${first.id}/secret`);
    expect((await request('DELETE', `/${first.id}`)).status).toBe(204);
    const second = (await register(named)).json;
    expect(second.secret).toBe(first.secret);
    expect((await request<WebhookSecret>('POST', `/${second.id}/secret`)).json.secret).toBe(rotated.json.secret);
    const replaced = await request<Webhook>('PUT', `/${second.id}`, { body: { ...TERMS, secretName: 'other' } });
    expect(replaced.json.secretName).toBe('my laptop');
    expect((await register({ secretName: 'my server' })).json.secret).not.toBe(first.secret);
    expect((await (await openTenant()).register(named)).json.secret).not.toBe(first.secret);
  });

  it('is replayed with its Idempotency-Key: the response has the first secret, even after a rotation', async () => {
    const { request, register } = await openTenant();
    const key = { idempotencyKey: randomUUID() };
    const first = await register({}, key);
    await request('POST', `/${first.json.id}/secret`);
    const again = await register({ events: ['PET.ADOPTED', 'order.statusChanged'].toReversed() }, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    expectProblem(await register({ ordered: true }, key), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
    expect((await request<WebhookCollection>('GET', '')).json.pagination.totalItems).toBe(1);
  });

  it.each([
    'http://10.0.0.1/hooks',
    'http://192.168.1.1',
    'https://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://0x0a000001/',
    'http://167772161/',
    'https://user:password@shop.example.com/',
    'https://metadata.google.internal/',
  ])('rejects the forbidden address %s with 422', async (url) => {
    const { register } = await openTenant();
    expectProblem(await register({ url }), 422, 'validation-failed', { url: 'forbidden_address' });
  });

  it('returns 409 for more than fifty endpoints, until one is deleted', async () => {
    const { request, register } = await openTenant();
    const [first, ...others] = await Promise.all(Array.from({ length: 50 }, () => register()));
    expect(others.every(({ status }) => status === 201)).toBe(true);
    expectProblem(await register(), 409, 'conflict');
    await request('DELETE', `/${first?.json.id}`);
    expect((await register()).status).toBe(201);
  });
});

/** Proves contract 7.1 and contract 7.4. */
describe('a list of endpoints', () => {
  it('has all endpoints of the tenant, newest first, in pages', async () => {
    const { request, register } = await openTenant();
    const made = [];
    for (let count = 0; count < 3; count++) made.unshift((await register()).json.id);
    const page = async (number: number) => (await request<WebhookCollection>('GET', `?page=${number}&limit=2`)).json;
    const [first, second] = [await page(1), await page(2)];
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made);
    expect([first.pagination, Object.keys(first)]).toEqual([{ page: 1, limit: 2, totalItems: 3, totalPages: 2 }, ['data', 'pagination']]);
  });
});

/** Proves contract 8.3 and contract 18.5. */
describe('replacing an endpoint', () => {
  it('sets missing fields to their default, but keeps the status', async () => {
    const { request, register } = await openTenant();
    const { id, createdAt } = (await register({ ordered: true })).json;
    const put = async (body: object) => (await request<Webhook>('PUT', `/${id}`, { body })).json;
    const other = { url: 'https://other.example.com', events: ['payment.failed'] };
    expect(await put({ ...other, status: 'disabled' })).toMatchObject({ ...other, ordered: false, status: 'disabled', createdAt });
    const kept = await put(TERMS);
    expect(kept).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
    const enabled = await put({ ...TERMS, status: 'ENABLED' });
    expect([enabled.status, 'disabledReason' in enabled]).toEqual(['enabled', false]);
    expect((await request('GET', `/${id}`)).json).toEqual(enabled);
  });

  it('with the response of a read changes nothing', async () => {
    const { request, register } = await openTenant();
    const { id } = (await register()).json;
    const read = await request('GET', `/${id}`);
    const put = await request('PUT', `/${id}`, { body: read.json });
    expect([put.text, put.headers.etag]).toEqual([read.text, read.headers.etag]);
  });

  it('is rejected with 412 if If-Match is out of date, and so is deleting', async () => {
    const { request, register } = await openTenant();
    const { headers, json } = await register();
    const tag = headers.etag;
    const replace = (ifMatch: string | undefined, url: string) => request('PUT', `/${json.id}`, { ifMatch, body: { ...TERMS, url } });
    expect((await replace(tag, 'https://one.example.com')).status).toBe(200);
    expectProblem(await replace(tag, 'https://two.example.com'), 412, 'precondition-failed');
    expectProblem(await request('DELETE', `/${json.id}`, { ifMatch: tag }), 412, 'precondition-failed');
    const now = (await request('GET', `/${json.id}`)).headers.etag;
    expect((await request('GET', `/${json.id}`, { ifNoneMatch: now })).status).toBe(304);
    expect((await request('DELETE', `/${json.id}`, { ifMatch: now })).status).toBe(204);
  });
});

/** Proves contract 18.5. */
describe('deleting an endpoint', () => {
  it('makes later reads, replacements, rotations and deletions of it return 404', async () => {
    const { request, register } = await openTenant();
    const { id } = (await register()).json;
    const { status, text } = await request('DELETE', `/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const [method, path, options] of [
      ['GET', `/${id}`],
      ['PUT', `/${id}`, { body: TERMS }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/secret`],
    ] as const)
      expectProblem(await request(method, path, options), 404, 'not-found');
    expect((await request<WebhookCollection>('GET', '')).json.data).toEqual([]);
  });
});

/** Proves contract 9.2 and contract 18.3. */
describe('rotating a secret', () => {
  it('returns another secret, and the time until which the former one signs: 24 hours later', async () => {
    const { request, register } = await openTenant();
    const { id, secret } = (await register()).json;
    const { status, json } = await request<WebhookSecret>('POST', `/${id}/secret`);
    expect([status, json.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect(json.secret).not.toBe(secret);
    expect(Date.parse(json.formerUntil) - Date.parse(json.rotatedAt)).toBe(24 * 3_600_000);
    expect((await request<WebhookSecret>('POST', `/${id}/secret`)).json.secret).not.toBe(json.secret);
  });

  it('happens once for each Idempotency-Key: a repeated request returns the same secret', async () => {
    const { request, register } = await openTenant();
    const { id } = (await register()).json;
    const rotate = (idempotencyKey: string) => request<WebhookSecret>('POST', `/${id}/secret`, { idempotencyKey });
    const first = await rotate('once');
    await rotate('twice');
    const again = await rotate('once');
    expect([again.text, first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      first.text,
      undefined,
      'true',
    ]);
  });
});

/** Proves contract 5.4, contract 5.6 and contract 6.2. */
describe('a caller without access', () => {
  const OTHERS = 'read:pets write:pets write:orders audit:read ops chat:write';

  it.each<[string, string, object | null]>([
    ['GET', '', null],
    ['POST', '', TERMS],
    ['GET', '/{id}', null],
    ['PUT', '/{id}', TERMS],
    ['DELETE', '/{id}', null],
    ['POST', '/{id}/secret', null],
    ['POST', '/{id}/test', null],
    ['GET', '/{id}/deliveries', null],
    ['GET', '/{id}/deliveries/{id}', null],
    ['POST', '/{id}/deliveries/{id}/redelivery', null],
    ['POST', '/{id}/redelivery', { since: '2026-01-02T00:00:00Z' }],
    ['GET', '/{id}/redelivery/{id}', null],
  ])('gets 401, 403, or 404 in another tenant for %s %s, and changes nothing', async (method, template, body) => {
    const { request, register } = await openTenant();
    const { id } = (await register()).json;
    const read = await request('GET', `/${id}`);
    const path = template.replaceAll('{id}', id);
    const options = body ? { body } : {};
    expectProblem(await request(method, path, { ...options, token: undefined }), 401, 'unauthorized');
    expectProblem(await request(method, path, { ...options, token: await service.token(OTHERS) }), 403, 'forbidden');
    if (template !== '') expectProblem(await request(method, path, { ...options, tenant: randomUUID() }), 404, 'not-found');
    expect((await request('GET', `/${id}`)).text).toBe(read.text);
    expect((await request<WebhookCollection>('GET', '')).json.pagination.totalItems).toBe(1);
  });

  it('sees no endpoint of another tenant or of the shared pool in a list', async () => {
    const { register } = await openTenant();
    const { id } = (await register()).json;
    const elsewhere = await openTenant();
    for (const options of [{}, { tenant: undefined }])
      expect((await elsewhere.request('GET', '?limit=100', options)).text).not.toContain(id);
  });
});
