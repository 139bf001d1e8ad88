import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnOwnPetstore, startOwnPetstore, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { addressOf, contentOf, exampleOf } from './example-requests.js';
import { expectProblem } from './problems.js';
import type { Resource, ResourceKind, SendRequest } from './resources.js';
import { PRICED_PET, type Page, type Pet } from './shop.js';
import { idsOf, openTenant, STAFF_SCOPES, unknownResource, viewOf, type TenantScene } from './tenant-scene.js';

const OPERATION_IDS = Object.keys(OPERATIONS);
const PAIRS = 6;
const OF_A_TENANT = Object.values(OPERATIONS).filter(({ wholeStore }) => !wholeStore);

/** Operations that name a resource and return 404 to another tenant, each with the kind of its resource. */
const BY_ID = OF_A_TENANT.flatMap((operation): (readonly [OperationRecord, ResourceKind])[] => {
  const { on, elsewhere } = exampleOf(operation);
  return on && elsewhere === undefined ? [[operation, on]] : [];
});
const WITHOUT_ID = OF_A_TENANT.filter((operation) => !exampleOf(operation).on);
/** Operations that read many resources. */
const MANY = WITHOUT_ID.filter(
  ({ method, readsOnly, access }) => (method === 'GET' || method === 'QUERY' || readsOnly) && access.strict !== 'subject',
);
/** Operations that create a resource. The same Idempotency-Key creates one in each tenant. */
const CREATING = WITHOUT_ID.filter(({ idempotent }) => idempotent);

/** Returns the text of a response without the id and the time of a chat answer, which differ each time. */
const withoutAnswerId = (text: string): string => text.replace(/"(chatcmpl_\w+|created":\d+)/g, '');

/** Sends requests with a token that is bound to the tenant. For the shared pool (no tenant), the token is unbound. */
const asBound = async (service: TestPetstore, tenant: string | undefined): Promise<SendRequest> => {
  const token = await service.token(STAFF_SCOPES, tenant === undefined ? {} : { tenant });
  return (method, path, options) => service.request(method, path, { token, ...options });
};

/** Sends requests with an unbound token. If there is a tenant, the header X-Tenant-ID names it. */
const asUnbound = async (service: TestPetstore, tenant: string | undefined): Promise<SendRequest> => {
  const token = await service.token(STAFF_SCOPES);
  return (method, path, options) => service.request(method, path, { token, tenant, ...options });
};

const WAYS = [
  ['documented', 'a header', asUnbound, startTestPetstore],
  ['documented', 'a bound token', asBound, startTestPetstore],
  ['strict', 'a bound token', asBound, () => startOwnPetstore({ ACCESS_POLICY: 'strict' })],
] as const;

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

/** Proves contract 2.8, contract 6.1, contract 6.2, contract 6.3, contract 6.4 and contract 9.4. */
describe.each(WAYS)('under the policy %s, by %s', (policy, _, asOf, start) => {
  const itUnderPolicy = policy === 'strict' ? itOnOwnPetstore : it;
  let service: TestPetstore | undefined;
  let scenes: readonly TenantScene[];
  let pairs: readonly (readonly [own: TenantScene, other: TenantScene])[];

  const open = async (running: TestPetstore, tenant: string | undefined): Promise<TenantScene> => {
    const receiver = await openReceiver();
    receivers.push(receiver);
    return openTenant(tenant, await asOf(running, tenant), receiver);
  };
  beforeAll(async () => {
    const running = (service = await start());
    scenes = await Promise.all([randomUUID(), randomUUID(), undefined].map((tenant) => open(running, tenant)));
    pairs = scenes.flatMap((own) => scenes.filter((other) => other !== own).map((other) => [own, other] as const));
  });
  afterAll(() => service?.stop());

  itUnderPolicy(`${BY_ID.length * PAIRS} requests for ids of another tenant are 404, as for unknown ids, and change nothing`, async () => {
    const before = await Promise.all(scenes.map(viewOf));
    const deliveries = receivers.map(({ received }) => received.length);
    for (const [own, other] of pairs) {
      for (const [operation, kind] of BY_ID) {
        const send = (resource: Resource) =>
          other.request(operation.method, addressOf(operation, resource), contentOf(exampleOf(operation), resource));
        const [resource, unknown] = [own.resources[kind], unknownResource(own.resources[kind])];
        const theirs = await send(resource);
        expectProblem(theirs, 404, 'not-found');
        expect([operation.id, withoutIds(theirs, resource)]).toEqual([operation.id, withoutIds(await send(unknown), unknown)]);
        expect([operation.id, theirs.headers.etag, theirs.headers['cache-control']]).toEqual([operation.id, undefined, 'no-store']);
      }
    }
    expect(await Promise.all(scenes.map(viewOf))).toEqual(before);
    expect(receivers.map(({ received }) => received.length)).toEqual(deliveries);
  });

  itUnderPolicy('the id of an own resource gives no access to a nested resource of another tenant', async () => {
    const nested = BY_ID.filter(([{ path }]) => path.match(/\{/g)?.length === 2);
    expect(nested.length).toBeGreaterThan(2);
    for (const [own, other] of pairs)
      for (const [operation, kind] of nested) {
        const mixed = { ...own.resources[kind], id: other.resources[kind].id };
        expectProblem(await other.request(operation.method, addressOf(operation, mixed)), 404, 'not-found');
      }
  });

  itUnderPolicy(`${MANY.length * PAIRS} lists, searches and counts contain nothing of another tenant`, async () => {
    for (const [own, other] of pairs) {
      for (const operation of MANY) {
        const { id, method } = operation;
        const show = async ({ request }: TenantScene) =>
          request(method, addressOf(operation, { id: '' }), contentOf(exampleOf(operation), { id: '' }));
        const before = await show(other);
        const added = (await own.request<Pet>('POST', '/v1/pets', { body: PRICED_PET })).json.id;
        const after = await show(other);
        expect([id, after.status, withoutAnswerId(after.text)]).toEqual([id, operation.success.status, withoutAnswerId(before.text)]);
        for (const theirs of [added, ...idsOf(own)]) expect([id, after.text.includes(theirs)]).toEqual([id, false]);
        if (operation.success.isComputed) expect([id, after.headers['cache-control']]).toEqual([id, 'no-store']);
        else expect([id, after.headers.vary]).toEqual([id, expect.stringMatching(/Authorization, X-Tenant-ID/)]);
      }
    }
  });

  itUnderPolicy('filters with ids of another tenant find nothing', async () => {
    for (const [own, other] of pairs) {
      for (const path of [`/v1/orders?petId=${own.resources.pet.id}`, `/v1/orders?userId=staff&petId=${own.resources.pet.id}`])
        expect((await other.request<Page<unknown>>('GET', path)).json.data).toEqual([]);
    }
  });

  itUnderPolicy(`${CREATING.length * PAIRS} creations with the Idempotency-Key of another tenant create their own resource`, async () => {
    for (const [own, other] of pairs) {
      for (const operation of CREATING) {
        const { id, method, path } = operation;
        const options: RequestOptions = { idempotencyKey: randomUUID(), ...contentOf(exampleOf(operation), { id: '' }) };
        const [mine, theirs] = [await own.request<Pet>(method, path, options), await other.request<Pet>(method, path, options)];
        expect([id, mine.status, theirs.status, theirs.headers['idempotent-replayed']]).toEqual([id, 201, 201, undefined]);
        expect(theirs.json.id).not.toBe(mine.json.id);
        expectProblem(await other.request('GET', `${path}/${mine.json.id}`), 404, 'not-found');
        const again = await own.request<Pet>(method, path, options);
        expect([again.headers['idempotent-replayed'], again.json.id]).toEqual(['true', mine.json.id]);
      }
    }
  });

  itUnderPolicy('entity tags of another tenant cause neither 304 nor 412', async () => {
    for (const [own, other] of pairs) {
      const address = `/v1/pets/${own.resources.pet.id}`;
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
      expect([answered.status, answered.text.includes(own.resources.pet.id)]).toEqual([200, false]);
    }
  });

  itUnderPolicy('concurrent lists of two tenants contain only their own pets', async () => {
    for (let round = 0; round < 10; round++) {
      for (const [own, other] of pairs) {
        const [mine, theirs] = await Promise.all([own, other].map(({ request }) => request('GET', '/v1/pets?species=DOG&limit=100')));
        expect([mine?.text.includes(own.resources.pet.id), mine?.text.includes(other.resources.pet.id)]).toEqual([true, false]);
        expect([theirs?.text.includes(own.resources.pet.id), theirs?.text.includes(other.resources.pet.id)]).toEqual([false, true]);
      }
    }
  });

  itUnderPolicy('an order’s changes are sent only to endpoints of its own tenant', async () => {
    for (const { receiver, resources } of scenes) {
      const bodies = receiver.received.map(({ body }) => body).join('\n');
      expect(bodies).toContain(resources.order.id);
      for (const other of scenes) if (other.resources !== resources) expect(bodies).not.toContain(other.resources.order.id);
    }
  });
});

const withoutIds = ({ json, headers: { 'content-type': type } }: HttpResponse, ids: Resource): string =>
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
  let service: TestPetstore;
  let staff: string;
  const unknownAddress = (id: string): string => OPERATIONS[id].path.replaceAll(/\{\w+\}/g, randomUUID());
  beforeAll(async () => {
    service = await startTestPetstore();
    staff = await service.token(`${STAFF_SCOPES} ops`);
  });
  afterAll(() => service.stop());

  it(`gets 400 for every operation if malformed, ${OPERATION_IDS.length * MALFORMED.length} cases`, async () => {
    for (const id of OPERATION_IDS)
      for (const value of MALFORMED) {
        const options = { token: staff, headers: { 'x-tenant-id': value } };
        const response = await service.request(OPERATIONS[id].method, unknownAddress(id), options);
        const { path } = OPERATIONS[id];
        // The operations for OpenAI's clients return errors in OpenAI's format (contract 41.9).
        if (path.startsWith('/v1/openai'))
          expect([response.status, response.text]).toEqual([400, expect.stringContaining('"X-Tenant-ID"')]);
        else expectProblem(response, 400, 'invalid-request', { 'X-Tenant-ID': 'INVALID_FORMAT' });
      }
  });

  it('may be in upper or lower case, like the tenant of a token', async () => {
    const tenant = randomUUID();
    const upperCase = await service.token(STAFF_SCOPES, { tenant: tenant.toUpperCase() });
    const { json } = await service.request<Pet>('POST', '/v1/pets', { token: upperCase, body: PRICED_PET });
    expect(json.tenantId).toBe(tenant);
    for (const options of [{ tenant }, { tenant: tenant.toUpperCase() }, { token: upperCase, tenant }])
      expect((await service.request<Pet>('GET', `/v1/pets/${json.id}`, options)).json.id).toBe(json.id);
  });
});

/** Proves contract 11.2. */
describe('the rate limit', () => {
  itOnOwnPetstore('counts a subject per tenant with bound tokens, and once with unbound tokens, whatever X-Tenant-ID is', async () => {
    const service = await startOwnPetstore({ RATE_LIMIT: '2/7d' });
    const left = async (options: RequestOptions) =>
      Number((await service.request('GET', '/v1/pets', options)).headers['ratelimit-remaining']);
    const [one, other] = [randomUUID(), randomUUID()];
    const bound = (tenant: string) => service.token('read:pets', { subject: 'ann', tenant });
    expect([await left({ token: await bound(one) }), await left({ token: await bound(other) })]).toEqual([1, 1]);
    const unbound = await service.token('read:pets', { subject: 'ann' });
    expect([await left({ token: unbound, tenant: one }), await left({ token: unbound, tenant: other })]).toEqual([1, 0]);
    expectProblem(await service.request('GET', '/v1/pets', { token: unbound }), 429, 'too-many-requests');
    expect([await left({ tenant: one }), await left({ tenant: other })]).toEqual([1, 0]);
    expectProblem(await service.request('GET', '/v1/pets', { tenant: randomUUID() }), 429, 'too-many-requests');
    await service.stop();
  });
});
