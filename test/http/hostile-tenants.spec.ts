import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OPERATIONS } from '../../apps/api/operations.js';
import type { Answer, RequestOptions } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnOwnStore, startOwnStore, startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { PRICED_PET, type Page, type Pet } from './shop.js';
import { unknownIds, openTenant, STAFF_SCOPES, TENANT_CASES, viewOf, type SendRequest, type TenantScene } from './tenant-scene.js';

jest.setTimeout(120_000);

const OPERATION_IDS = Object.keys(OPERATIONS);
const PAIRS = 6;
const casesOf = <K extends string>(kind: K) =>
  Object.entries(TENANT_CASES).flatMap(([id, one]) => (one.kind === kind ? [[id, one as Extract<typeof one, { kind: K }>] as const] : []));

it('every operation has one case across tenants', () => expect(Object.keys(TENANT_CASES).sort()).toEqual([...OPERATION_IDS].sort()));

/** Sends requests with a token that is bound to the tenant, or an unbound one for the shared pool. */
const asBound = async (store: TestStore, tenant: string | undefined): Promise<SendRequest> => {
  const token = await store.token(STAFF_SCOPES, tenant === undefined ? {} : { tenant });
  return (method, path, options) => store.request(method, path, { token, ...options });
};

/** Sends requests with an unbound token and the header. */
const asUnbound = async (store: TestStore, tenant: string | undefined): Promise<SendRequest> => {
  const token = await store.token(STAFF_SCOPES);
  return (method, path, options) => store.request(method, path, { token, tenant, ...options });
};

const WAYS = [
  ['documented', 'a header', asUnbound, startStore],
  ['documented', 'a bound token', asBound, startStore],
  ['strict', 'a bound token', asBound, () => startOwnStore({ ACCESS_POLICY: 'strict' })],
] as const;

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

/** Proves contract 2.8, contract 6.1, contract 6.2, contract 6.3, contract 6.4 and contract 9.4. */
describe.each(WAYS)('under the policy %s, by %s', (policy, _, asOf, start) => {
  const it_ = policy === 'strict' ? itOnOwnStore : it;
  let store: TestStore | undefined;
  let scenes: readonly TenantScene[];
  let pairs: readonly (readonly [own: TenantScene, other: TenantScene])[];

  const open = async (running: TestStore, tenant: string | undefined): Promise<TenantScene> => {
    const receiver = await openReceiver();
    receivers.push(receiver);
    return openTenant(tenant, await asOf(running, tenant), receiver);
  };
  beforeAll(async () => {
    const running = (store = await start());
    scenes = await Promise.all([randomUUID(), randomUUID(), undefined].map((tenant) => open(running, tenant)));
    pairs = scenes.flatMap((own) => scenes.filter((other) => other !== own).map((other) => [own, other] as const));
  });
  afterAll(() => store?.stop());

  const named = casesOf('by id');
  it_(`${named.length * PAIRS} requests for ids of another tenant are 404, as for unknown ids, and change nothing`, async () => {
    const before = await Promise.all(scenes.map(viewOf));
    const deliveries = receivers.map(({ received }) => received.length);
    for (const [own, other] of pairs) {
      for (const [id, { path, body }] of named) {
        const { method } = OPERATIONS[id];
        const options = (ids: TenantScene['ids']): RequestOptions => (body ? { body: body(ids) } : {});
        const theirs = await other.request(method, path(own.ids), options(own.ids));
        expectProblem(theirs, 404, 'not-found');
        const unknown = unknownIds();
        expect([id, strip(theirs, own.ids)]).toEqual([id, strip(await other.request(method, path(unknown), options(unknown)), unknown)]);
        expect([id, theirs.headers.etag, theirs.headers['cache-control']]).toEqual([id, undefined, 'no-store']);
      }
    }
    expect(await Promise.all(scenes.map(viewOf))).toEqual(before);
    expect(receivers.map(({ received }) => received.length)).toEqual(deliveries);
  });

  it_('an own endpoint gives no access to a delivery or redelivery of another tenant', async () => {
    for (const [own, other] of pairs) {
      const mixed = { ...own.ids, webhook: other.ids.webhook };
      for (const id of ['getWebhookDelivery', 'redeliverWebhookDelivery', 'getWebhookRedelivery'] as const) {
        const one = TENANT_CASES[id];
        if (one.kind === 'by id') expectProblem(await other.request(OPERATIONS[id].method, one.path(mixed)), 404, 'not-found');
      }
    }
  });

  const many = casesOf('many');
  it_(`${many.length * PAIRS} lists, searches and counts contain nothing of another tenant`, async () => {
    for (const [own, other] of pairs) {
      for (const [id, { path, body }] of many) {
        const { method } = OPERATIONS[id];
        const show = async ({ request }: TenantScene) => request(method, path, body ? { body } : {});
        const before = await show(other);
        const added = (await own.request<Pet>('POST', '/v1/pets', { body: PRICED_PET })).json.id;
        const after = await show(other);
        expect([id, after.status, after.text]).toEqual([id, 200, before.text]);
        for (const theirs of [added, ...Object.values(own.ids)]) expect([id, after.text.includes(theirs)]).toEqual([id, false]);
        expect(after.headers.vary).toContain('X-Tenant-ID');
        expect(after.headers.vary).toContain('Authorization');
      }
    }
  });

  it_('filters with ids of another tenant find nothing', async () => {
    for (const [own, other] of pairs) {
      for (const path of [`/v1/orders?petId=${own.ids.pet}`, `/v1/orders?userId=staff&petId=${own.ids.pet}`])
        expect((await other.request<Page<unknown>>('GET', path)).json.data).toEqual([]);
    }
  });

  const creating = casesOf('creates');
  it_(`${creating.length * PAIRS} creations with the Idempotency-Key of another tenant create their own resource`, async () => {
    for (const [own, other] of pairs) {
      for (const [id, { path, body }] of creating) {
        const { method } = OPERATIONS[id];
        const options: RequestOptions = { idempotencyKey: randomUUID(), body: body(own.ids, own.receiver) };
        const [mine, theirs] = [await own.request<Pet>(method, path, options), await other.request<Pet>(method, path, options)];
        expect([id, mine.status, theirs.status, theirs.headers['idempotent-replayed']]).toEqual([id, 201, 201, undefined]);
        expect(theirs.json.id).not.toBe(mine.json.id);
        expectProblem(await other.request('GET', `${path}/${mine.json.id}`), 404, 'not-found');
        const again = await own.request<Pet>(method, path, options);
        expect([again.headers['idempotent-replayed'], again.json.id]).toEqual(['true', mine.json.id]);
      }
    }
  });

  it_('entity tags of another tenant cause neither 304 nor 412', async () => {
    for (const [own, other] of pairs) {
      const address = `/v1/pets/${own.ids.pet}`;
      const etag = (await own.request('GET', address)).headers.etag ?? '';
      expect((await own.request('GET', address, { ifNoneMatch: etag })).status).toBe(304);
      for (const tag of [etag, '*']) {
        expectProblem(await other.request('GET', address, { ifNoneMatch: tag }), 404, 'not-found');
        expectProblem(
          await other.request('PUT', address, { ifMatch: tag, body: { ...PRICED_PET, status: 'AVAILABLE' } }),
          404,
          'not-found',
        );
        expectProblem(await other.request('DELETE', address, { ifMatch: tag }), 404, 'not-found');
      }
      const list = (await own.request('GET', '/v1/pets')).headers.etag ?? '';
      const answered = await other.request<Page<Pet>>('GET', '/v1/pets', { ifNoneMatch: list });
      expect([answered.status, answered.text.includes(own.ids.pet)]).toEqual([200, false]);
    }
  });

  it_('concurrent lists of two tenants contain only their own pets', async () => {
    for (let round = 0; round < 10; round++) {
      for (const [own, other] of pairs) {
        const [mine, theirs] = await Promise.all([own, other].map(({ request }) => request('GET', '/v1/pets?species=DOG&limit=100')));
        expect([mine?.text.includes(own.ids.pet), mine?.text.includes(other.ids.pet)]).toEqual([true, false]);
        expect([theirs?.text.includes(own.ids.pet), theirs?.text.includes(other.ids.pet)]).toEqual([false, true]);
      }
    }
  });

  it_('an order’s changes are sent only to endpoints of its own tenant', async () => {
    for (const { receiver, ids } of scenes) {
      const bodies = receiver.received.map(({ body }) => body).join('\n');
      expect(bodies).toContain(ids.order);
      for (const other of scenes) if (other.ids !== ids) expect(bodies).not.toContain(other.ids.order);
    }
  });
});

const strip = ({ json, headers: { 'content-type': type } }: Answer, ids: TenantScene['ids']): string =>
  Object.values(ids).reduce((text, id) => text.replaceAll(id, '{id}'), JSON.stringify([json, type]));

/** Malformed values of X-Tenant-ID. */
const MALFORMED: readonly (string | readonly string[])[] = [
  '',
  'shared',
  'acme',
  '0',
  'null',
  'undefined',
  '*',
  '%',
  '{}',
  "' OR 1=1 --",
  '../../etc',
  '00000000000000000000000000000000',
  '{0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60}',
  'urn:uuid:0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60',
  '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e6',
  '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e601',
  '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e6g',
  '0190a6b27c1e-7a34-9b0f-3f1a5c2d4e60-',
  '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60,0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60',
  '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60;',
  'x'.repeat(4_000),
  ['0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60'],
  ['0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e61'],
  ['', '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60'],
];

/** Proves contract 6.1 and contract 6.3. */
describe('X-Tenant-ID', () => {
  let store: TestStore;
  let staff: string;
  const addressOf = (id: string): string => OPERATIONS[id].path.replaceAll(/\{\w+\}/g, randomUUID());
  beforeAll(async () => {
    store = await startStore();
    staff = await store.token(`${STAFF_SCOPES} ops`);
  });
  afterAll(() => store.stop());

  it(`gets 400 for every operation if malformed, ${OPERATION_IDS.length * MALFORMED.length} cases`, async () => {
    for (const id of OPERATION_IDS)
      for (const value of MALFORMED) {
        const options = { token: staff, headers: { 'x-tenant-id': value } };
        const answer = await store.request(OPERATIONS[id].method, addressOf(id), options);
        expectProblem(answer, 400, 'invalid-request', { 'X-Tenant-ID': 'INVALID_FORMAT' });
      }
  });

  it(`gets 403 for every operation if it differs from the token’s tenant, ${OPERATION_IDS.length * 2} cases`, async () => {
    const bound = await store.token(`${STAFF_SCOPES} ops`, { tenant: randomUUID() });
    for (const id of OPERATION_IDS)
      for (const tenant of [randomUUID(), '00000000-0000-0000-0000-000000000000'])
        expectProblem(await store.request(OPERATIONS[id].method, addressOf(id), { token: bound, tenant }), 403, 'forbidden');
  });

  it('is read in any case, like the tenant of a token', async () => {
    const tenant = randomUUID();
    const upperCase = await store.token(STAFF_SCOPES, { tenant: tenant.toUpperCase() });
    const { json } = await store.request<Pet>('POST', '/v1/pets', { token: upperCase, body: PRICED_PET });
    expect(json.tenantId).toBe(tenant);
    for (const options of [{ tenant }, { tenant: tenant.toUpperCase() }, { token: upperCase, tenant }])
      expect((await store.request<Pet>('GET', `/v1/pets/${json.id}`, options)).json.id).toBe(json.id);
  });
});

/** Proves contract 11.2. */
describe('the rate limit', () => {
  itOnOwnStore('counts a subject for each tenant of bound tokens, and once for unbound tokens, whatever the header', async () => {
    const store = await startOwnStore({ RATE_LIMIT: '2/7d' });
    const left = async (options: RequestOptions) =>
      Number((await store.request('GET', '/v1/pets', options)).headers['ratelimit-remaining']);
    const [one, other] = [randomUUID(), randomUUID()];
    const bound = (tenant: string) => store.token('read:pets', { subject: 'ann', tenant });
    expect([await left({ token: await bound(one) }), await left({ token: await bound(other) })]).toEqual([1, 1]);
    const unbound = await store.token('read:pets', { subject: 'ann' });
    expect([await left({ token: unbound, tenant: one }), await left({ token: unbound, tenant: other })]).toEqual([1, 0]);
    expectProblem(await store.request('GET', '/v1/pets', { token: unbound }), 429, 'too-many-requests');
    expect([await left({ tenant: one }), await left({ tenant: other })]).toEqual([1, 0]);
    expectProblem(await store.request('GET', '/v1/pets', { tenant: randomUUID() }), 429, 'too-many-requests');
    await store.stop();
  });
});
