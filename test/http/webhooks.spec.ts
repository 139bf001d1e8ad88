import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegisteredWebhook, Webhook, WebhookCollection, WebhookSecret } from '../../apps/api/webhooks/webhook.dto.js';
import { startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';

const KEEPER = 'write:webhooks';
const TERMS = { url: 'https://shop.example.com/hooks', events: ['order.statusChanged', 'pet.adopted'] };

let store: TestStore;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

/** One tenant's endpoints, and who keeps them. */
const openHouse = async (tenant: string = randomUUID()) => {
  const token = await store.token(KEEPER);
  const ask = <T = unknown>(method: string, path: string, asked: object = {}) =>
    store.request<T>(method, `/v1/webhooks${path}`, { tenant, token, ...asked });
  return {
    tenant,
    ask,
    register: (more: object = {}, asked: object = {}) => ask<RegisteredWebhook>('POST', '', { body: { ...TERMS, ...more }, ...asked }),
  };
};

describe('registering an endpoint', () => {
  it('answers it with its secret, which is never shown again', async () => {
    const { ask, register } = await openHouse();
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
    expect(new URL(headers.location ?? '', store.url).pathname).toBe(`/v1/webhooks/${json.id}`);
    const read = await ask('GET', `/${json.id}`);
    expect({ json: read.json, etag: read.headers.etag }).toEqual({ json: webhook, etag: headers.etag });
    for (const path of [`/${json.id}`, '']) expect((await ask('GET', path)).text).not.toContain('whsec_');
  });

  it('gives each its own secret', async () => {
    const { register } = await openHouse();
    expect((await register()).json.secret).not.toBe((await register()).json.secret);
  });

  it('is repeated with its Idempotency-Key, secret and all, also after a rotation', async () => {
    const { ask, register } = await openHouse();
    const key = { idempotencyKey: randomUUID() };
    const first = await register({}, key);
    await ask('POST', `/${first.json.id}/secret`);
    const again = await register({ events: ['PET.ADOPTED', 'order.statusChanged'].toReversed() }, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    expectProblem(await register({ ordered: true }, key), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
    expect((await ask<WebhookCollection>('GET', '')).json.pagination.totalItems).toBe(1);
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
  ])('refuses %s, which nobody may have called, with 422', async (url) => {
    const { register } = await openHouse();
    expectProblem(await register({ url }), 422, 'validation-failed', { url: 'forbidden_address' });
  });

  it('ends at fifty, until one is deleted', async () => {
    const { ask, register } = await openHouse();
    const [first, ...others] = await Promise.all(Array.from({ length: 50 }, () => register()));
    expect(others.every(({ status }) => status === 201)).toBe(true);
    expectProblem(await register(), 409, 'conflict');
    await ask('DELETE', `/${first?.json.id}`);
    expect((await register()).status).toBe(201);
  });
});

describe('a list of endpoints', () => {
  it('has all of the tenant’s, newest first, in pages', async () => {
    const { ask, register } = await openHouse();
    const made = [];
    for (let count = 0; count < 3; count++) made.unshift((await register()).json.id);
    const page = async (number: number) => (await ask<WebhookCollection>('GET', `?page=${number}&limit=2`)).json;
    const [first, second] = [await page(1), await page(2)];
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made);
    expect([first.pagination, Object.keys(first)]).toEqual([{ page: 1, limit: 2, totalItems: 3, totalPages: 2 }, ['data', 'pagination']]);
  });
});

describe('replacing an endpoint', () => {
  it('says everything anew: what is left out is as at first, but the status', async () => {
    const { ask, register } = await openHouse();
    const { id, createdAt } = (await register({ ordered: true })).json;
    const put = async (body: object) => (await ask<Webhook>('PUT', `/${id}`, { body })).json;
    const other = { url: 'https://other.example.com', events: ['payment.failed'] };
    expect(await put({ ...other, status: 'disabled' })).toMatchObject({ ...other, ordered: false, status: 'disabled', createdAt });
    const kept = await put(TERMS);
    expect(kept).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
    const enabled = await put({ ...TERMS, status: 'ENABLED' });
    expect([enabled.status, 'disabledReason' in enabled]).toEqual(['enabled', false]);
    expect((await ask('GET', `/${id}`)).json).toEqual(enabled);
  });

  it('takes what was read, and changes nothing by it', async () => {
    const { ask, register } = await openHouse();
    const { id } = (await register()).json;
    const read = await ask('GET', `/${id}`);
    const put = await ask('PUT', `/${id}`, { body: read.json });
    expect([put.text, put.headers.etag]).toEqual([read.text, read.headers.etag]);
  });

  it('goes by If-Match, as deleting does', async () => {
    const { ask, register } = await openHouse();
    const { headers, json } = await register();
    const tag = headers.etag;
    const replace = (ifMatch: string | undefined, url: string) => ask('PUT', `/${json.id}`, { ifMatch, body: { ...TERMS, url } });
    expect((await replace(tag, 'https://one.example.com')).status).toBe(200);
    expectProblem(await replace(tag, 'https://two.example.com'), 412, 'precondition-failed');
    expectProblem(await ask('DELETE', `/${json.id}`, { ifMatch: tag }), 412, 'precondition-failed');
    const now = (await ask('GET', `/${json.id}`)).headers.etag;
    expect((await ask('GET', `/${json.id}`, { ifNoneMatch: now })).status).toBe(304);
    expect((await ask('DELETE', `/${json.id}`, { ifMatch: now })).status).toBe(204);
  });
});

describe('deleting an endpoint', () => {
  it('leaves nothing to read, replace, rotate or delete', async () => {
    const { ask, register } = await openHouse();
    const { id } = (await register()).json;
    const { status, text } = await ask('DELETE', `/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const [method, path, asked] of [
      ['GET', `/${id}`],
      ['PUT', `/${id}`, { body: TERMS }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/secret`],
    ] as const)
      expectProblem(await ask(method, path, asked), 404, 'not-found');
    expect((await ask<WebhookCollection>('GET', '')).json.data).toEqual([]);
  });
});

describe('rotating a secret', () => {
  it('shows another one, and until when the former one signs: 24 hours', async () => {
    const { ask, register } = await openHouse();
    const { id, secret } = (await register()).json;
    const { status, json } = await ask<WebhookSecret>('POST', `/${id}/secret`);
    expect([status, json.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect(json.secret).not.toBe(secret);
    expect(Date.parse(json.formerUntil) - Date.parse(json.rotatedAt)).toBe(24 * 3_600_000);
    expect((await ask<WebhookSecret>('POST', `/${id}/secret`)).json.secret).not.toBe(json.secret);
  });

  it('is done once for one Idempotency-Key, and shows the same secret again', async () => {
    const { ask, register } = await openHouse();
    const { id } = (await register()).json;
    const rotate = (idempotencyKey: string) => ask<WebhookSecret>('POST', `/${id}/secret`, { idempotencyKey });
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

describe('whoever may not', () => {
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
  ])('%s %s learns nothing, and nothing happens: 401, 403, and 404 in another tenant', async (method, template, body) => {
    const { ask, register } = await openHouse();
    const { id } = (await register()).json;
    const read = await ask('GET', `/${id}`);
    const path = template.replaceAll('{id}', id);
    const asked = body ? { body } : {};
    expectProblem(await ask(method, path, { ...asked, token: undefined }), 401, 'unauthorized');
    expectProblem(await ask(method, path, { ...asked, token: await store.token(OTHERS) }), 403, 'forbidden');
    if (template !== '') expectProblem(await ask(method, path, { ...asked, tenant: randomUUID() }), 404, 'not-found');
    expect((await ask('GET', `/${id}`)).text).toBe(read.text);
    expect((await ask<WebhookCollection>('GET', '')).json.pagination.totalItems).toBe(1);
  });

  it('sees no endpoint of another tenant in a list, nor of the shared pool', async () => {
    const { register } = await openHouse();
    const { id } = (await register()).json;
    const elsewhere = await openHouse();
    for (const asked of [{}, { tenant: undefined }]) expect((await elsewhere.ask('GET', '?limit=100', asked)).text).not.toContain(id);
  });
});
