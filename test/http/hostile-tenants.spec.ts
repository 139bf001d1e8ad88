import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OPERATIONS } from '../../apps/api/operations.js';
import type { Answer, Asked } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnOwnStore, startOwnStore, startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { PRICED_PET, type Page, type Pet } from './shop.js';
import { nobodysIds, openTenant, STAFF_SCOPES, TENANT_CASES, viewOf, type Ask, type TenantScene } from './tenant-scene.js';

jest.setTimeout(120_000);

const OPERATION_IDS = Object.keys(OPERATIONS);
const PAIRS = 6;
const casesOf = <K extends string>(kind: K) =>
  Object.entries(TENANT_CASES).flatMap(([id, one]) => (one.kind === kind ? [[id, one as Extract<typeof one, { kind: K }>] as const] : []));

it('every operation is tried across tenants', () => expect(Object.keys(TENANT_CASES).sort()).toEqual([...OPERATION_IDS].sort()));

/** With a token that is bound to the tenant; the shared pool has none that is. */
const asBound = async (store: TestStore, tenant: string | undefined): Promise<Ask> => {
  const token = await store.token(STAFF_SCOPES, tenant === undefined ? {} : { tenant });
  return (method, path, asked) => store.request(method, path, { token, ...asked });
};

/** With one token for all tenants, and the header. */
const asUnbound = async (store: TestStore, tenant: string | undefined): Promise<Ask> => {
  const token = await store.token(STAFF_SCOPES);
  return (method, path, asked) => store.request(method, path, { token, tenant, ...asked });
};

const WAYS = [
  ['documented', 'a header', asUnbound, startStore],
  ['documented', 'a bound token', asBound, startStore],
  ['strict', 'a bound token', asBound, () => startOwnStore({ ACCESS_POLICY: 'strict' })],
] as const;

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

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
  it_(`${named.length * PAIRS} tries at what is another’s are 404, as for what nobody has, and change nothing`, async () => {
    const before = await Promise.all(scenes.map(viewOf));
    const deliveries = receivers.map(({ received }) => received.length);
    for (const [own, other] of pairs) {
      for (const [id, { path, body }] of named) {
        const { method } = OPERATIONS[id];
        const asked = (ids: TenantScene['ids']): Asked => (body ? { body: body(ids) } : {});
        const theirs = await other.ask(method, path(own.ids), asked(own.ids));
        expectProblem(theirs, 404, 'not-found');
        const nobodys = nobodysIds();
        expect([id, strip(theirs, own.ids)]).toEqual([id, strip(await other.ask(method, path(nobodys), asked(nobodys)), nobodys)]);
        expect([id, theirs.headers.etag, theirs.headers['cache-control']]).toEqual([id, undefined, 'no-store']);
      }
    }
    expect(await Promise.all(scenes.map(viewOf))).toEqual(before);
    expect(receivers.map(({ received }) => received.length)).toEqual(deliveries);
  });

  it_('an endpoint of one’s own opens no delivery or redelivery of another’s', async () => {
    for (const [own, other] of pairs) {
      const mixed = { ...own.ids, webhook: other.ids.webhook };
      for (const id of ['getWebhookDelivery', 'redeliverWebhookDelivery', 'getWebhookRedelivery'] as const) {
        const one = TENANT_CASES[id];
        if (one.kind === 'by id') expectProblem(await other.ask(OPERATIONS[id].method, one.path(mixed)), 404, 'not-found');
      }
    }
  });

  const many = casesOf('many');
  it_(`${many.length * PAIRS} lists, searches and counts show nothing of another’s`, async () => {
    for (const [own, other] of pairs) {
      for (const [id, { path, body }] of many) {
        const { method } = OPERATIONS[id];
        const show = async ({ ask }: TenantScene) => ask(method, path, body ? { body } : {});
        const before = await show(other);
        const added = (await own.ask<Pet>('POST', '/v1/pets', { body: PRICED_PET })).json.id;
        const after = await show(other);
        expect([id, after.status, after.text]).toEqual([id, 200, before.text]);
        for (const theirs of [added, ...Object.values(own.ids)]) expect([id, after.text.includes(theirs)]).toEqual([id, false]);
        expect(after.headers.vary).toContain('X-Tenant-ID');
        expect(after.headers.vary).toContain('Authorization');
      }
    }
  });

  it_('filters that name another’s find nothing', async () => {
    for (const [own, other] of pairs) {
      for (const path of [`/v1/orders?petId=${own.ids.pet}`, `/v1/orders?userId=staff&petId=${own.ids.pet}`])
        expect((await other.ask<Page<unknown>>('GET', path)).json.data).toEqual([]);
    }
  });

  const creating = casesOf('creates');
  it_(`${creating.length * PAIRS} creations under another’s Idempotency-Key make their own`, async () => {
    for (const [own, other] of pairs) {
      for (const [id, { path, body }] of creating) {
        const { method } = OPERATIONS[id];
        const asked: Asked = { idempotencyKey: randomUUID(), body: body(own.ids, own.receiver) };
        const [mine, theirs] = [await own.ask<Pet>(method, path, asked), await other.ask<Pet>(method, path, asked)];
        expect([id, mine.status, theirs.status, theirs.headers['idempotent-replayed']]).toEqual([id, 201, 201, undefined]);
        expect(theirs.json.id).not.toBe(mine.json.id);
        expectProblem(await other.ask('GET', `${path}/${mine.json.id}`), 404, 'not-found');
        const again = await own.ask<Pet>(method, path, asked);
        expect([again.headers['idempotent-replayed'], again.json.id]).toEqual(['true', mine.json.id]);
      }
    }
  });

  it_('entity tags of another’s give neither 304 nor 412', async () => {
    for (const [own, other] of pairs) {
      const address = `/v1/pets/${own.ids.pet}`;
      const etag = (await own.ask('GET', address)).headers.etag ?? '';
      expect((await own.ask('GET', address, { ifNoneMatch: etag })).status).toBe(304);
      for (const tag of [etag, '*']) {
        expectProblem(await other.ask('GET', address, { ifNoneMatch: tag }), 404, 'not-found');
        expectProblem(await other.ask('PUT', address, { ifMatch: tag, body: { ...PRICED_PET, status: 'AVAILABLE' } }), 404, 'not-found');
        expectProblem(await other.ask('DELETE', address, { ifMatch: tag }), 404, 'not-found');
      }
      const list = (await own.ask('GET', '/v1/pets')).headers.etag ?? '';
      const answered = await other.ask<Page<Pet>>('GET', '/v1/pets', { ifNoneMatch: list });
      expect([answered.status, answered.text.includes(own.ids.pet)]).toEqual([200, false]);
    }
  });

  it_('pages and pets that are asked for in turn are each their own', async () => {
    for (let round = 0; round < 10; round++) {
      for (const [own, other] of pairs) {
        const [mine, theirs] = await Promise.all([own, other].map(({ ask }) => ask('GET', '/v1/pets?species=DOG&limit=100')));
        expect([mine?.text.includes(own.ids.pet), mine?.text.includes(other.ids.pet)]).toEqual([true, false]);
        expect([theirs?.text.includes(own.ids.pet), theirs?.text.includes(other.ids.pet)]).toEqual([false, true]);
      }
    }
  });

  it_('an order’s changes reach the endpoints of its own tenant only', async () => {
    for (const { receiver, ids } of scenes) {
      const bodies = receiver.received.map(({ body }) => body).join('\n');
      expect(bodies).toContain(ids.order);
      for (const other of scenes) if (other.ids !== ids) expect(bodies).not.toContain(other.ids.order);
    }
  });
});

const strip = ({ json, headers: { 'content-type': type } }: Answer, ids: TenantScene['ids']): string =>
  Object.values(ids).reduce((text, id) => text.replaceAll(id, '{id}'), JSON.stringify([json, type]));

/** Not one of them names a tenant. */
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

describe('X-Tenant-ID', () => {
  let store: TestStore;
  let staff: string;
  const addressOf = (id: string): string => OPERATIONS[id].path.replaceAll(/\{\w+\}/g, randomUUID());
  beforeAll(async () => {
    store = await startStore();
    staff = await store.token(`${STAFF_SCOPES} ops`);
  });
  afterAll(() => store.stop());

  it(`that names no tenant is 400 for every operation, ${OPERATION_IDS.length * MALFORMED.length} cases`, async () => {
    for (const id of OPERATION_IDS)
      for (const value of MALFORMED) {
        const asked = { token: staff, headers: { 'x-tenant-id': value } };
        const answer = await store.request(OPERATIONS[id].method, addressOf(id), asked);
        expectProblem(answer, 400, 'invalid-request', { 'X-Tenant-ID': 'INVALID_FORMAT' });
      }
  });

  it(`that differs from a token’s tenant is 403 for every operation, ${OPERATION_IDS.length * 2} cases`, async () => {
    const bound = await store.token(`${STAFF_SCOPES} ops`, { tenant: randomUUID() });
    for (const id of OPERATION_IDS)
      for (const tenant of [randomUUID(), '00000000-0000-0000-0000-000000000000'])
        expectProblem(await store.request(OPERATIONS[id].method, addressOf(id), { token: bound, tenant }), 403, 'forbidden');
  });

  it('is the same tenant in upper case, for header and token alike', async () => {
    const tenant = randomUUID();
    const shouted = await store.token(STAFF_SCOPES, { tenant: tenant.toUpperCase() });
    const { json } = await store.request<Pet>('POST', '/v1/pets', { token: shouted, body: PRICED_PET });
    expect(json.tenantId).toBe(tenant);
    for (const asked of [{ tenant }, { tenant: tenant.toUpperCase() }, { token: shouted, tenant }])
      expect((await store.request<Pet>('GET', `/v1/pets/${json.id}`, asked)).json.id).toBe(json.id);
  });
});

describe('the rate limit', () => {
  itOnOwnStore(
    'counts a subject in each tenant that its token is bound to, and an unbound one once, whatever header it sends',
    async () => {
      const store = await startOwnStore({ RATE_LIMIT: '2/7d' });
      const left = async (asked: Asked) => Number((await store.request('GET', '/v1/pets', asked)).headers['ratelimit-remaining']);
      const [one, other] = [randomUUID(), randomUUID()];
      const bound = (tenant: string) => store.token('read:pets', { subject: 'ann', tenant });
      expect([await left({ token: await bound(one) }), await left({ token: await bound(other) })]).toEqual([1, 1]);
      const unbound = await store.token('read:pets', { subject: 'ann' });
      expect([await left({ token: unbound, tenant: one }), await left({ token: unbound, tenant: other })]).toEqual([1, 0]);
      expectProblem(await store.request('GET', '/v1/pets', { token: unbound }), 429, 'too-many-requests');
      expect([await left({ tenant: one }), await left({ tenant: other })]).toEqual([1, 0]);
      expectProblem(await store.request('GET', '/v1/pets', { tenant: randomUUID() }), 429, 'too-many-requests');
      await store.stop();
    },
  );
});
