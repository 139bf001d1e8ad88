import { randomUUID } from 'node:crypto';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { eventually } from '../eventually.js';
import type { Answer, RequestOptions } from '../servers/client.js';
import type { Receiver } from '../servers/receiver.js';
import { card, PRICED_PET, type Order, type Page, type Pet } from './shop.js';

/** The scopes of a tenant's staff. */
export const STAFF_SCOPES = 'write:pets read:pets write:orders write:webhooks ops';

/** Sends requests as staff of one tenant. */
export type SendRequest = <T = unknown>(method: string, path: string, options?: RequestOptions) => Promise<Answer<T>>;

/** A tenant with one resource of each kind. */
export type TenantScene = {
  readonly tenant: string | undefined;
  readonly request: SendRequest;
  readonly receiver: Receiver;
  readonly ids: {
    readonly pet: string;
    readonly order: string;
    readonly webhook: string;
    readonly delivery: string;
    readonly redelivery: string;
    readonly user: string;
  };
};

type Ids = TenantScene['ids'];

const expectStatus = <T>(status: number, { status: answered, json, text }: Answer<T>): T => {
  if (answered !== status) throw new Error(`answered ${answered}: ${text}`);
  return json;
};

/** Opens a tenant with an available pet, a paid order, an endpoint, a delivery and a redelivery. */
export const openTenant = async (tenant: string | undefined, request: SendRequest, receiver: Receiver): Promise<TenantScene> => {
  const webhookBody = { url: `${receiver.url}/hooks`, events: ['order.statusChanged'] };
  const webhook = expectStatus(201, await request<{ id: string }>('POST', '/v1/webhooks', { body: webhookBody })).id;
  const pet = expectStatus(201, await request<Pet>('POST', '/v1/pets', { body: PRICED_PET })).id;
  const sold = expectStatus(201, await request<Pet>('POST', '/v1/pets', { body: PRICED_PET })).id;
  const order = expectStatus(201, await request<Order>('POST', '/v1/orders', { body: { petId: sold } })).id;
  expectStatus(201, await request('POST', `/v1/orders/${order}/payment`, { body: { amount: '250.00', currency: 'USD', source: card() } }));
  await eventually('the order to be approved', async () => (await request<Order>('GET', `/v1/orders/${order}`)).json.status === 'approved');
  await eventually('the pet to be adopted', async () => (await request<Pet>('GET', `/v1/pets/${sold}`)).json.status === 'ADOPTED');
  const delivery = expectStatus(202, await request<{ id: string }>('POST', `/v1/webhooks/${webhook}/test`)).id;
  const since = new Date(Date.now() - 1_000).toISOString();
  const redelivery = expectStatus(202, await request<{ id: string }>('POST', `/v1/webhooks/${webhook}/redelivery`, { body: { since } })).id;
  const user = expectStatus(201, await request<{ id: string }>('POST', '/v1/users', { body: newUser() })).id;
  const ids = { pet, order, webhook, delivery, redelivery, user };
  await waitForDeliveries(request, ids);
  return { tenant, request, receiver, ids };
};

/** Returns the body of a new account with unique names. */
const newUser = (): object => {
  const username = `ann-${randomUUID()}`;
  return { username, email: `${username}@example.com`, password: 'correct horse battery' };
};

/** Waits until all deliveries are sent. */
const waitForDeliveries = async (request: SendRequest, { webhook, redelivery }: Ids): Promise<void> => {
  await eventually('the redelivery', async () => {
    const { json } = await request<{ status: string }>('GET', `/v1/webhooks/${webhook}/redelivery/${redelivery}`);
    return json.status === 'done';
  });
  await eventually('all deliveries', async () => {
    const { json } = await request<Page<{ status: string }>>('GET', `/v1/webhooks/${webhook}/deliveries?limit=100`);
    return json.data.length >= 3 && json.data.every(({ status }) => status === 'delivered');
  });
};

/** Returns everything that staff can read in their own tenant. */
export const viewOf = async ({ request, ids }: TenantScene): Promise<readonly unknown[]> => {
  const paths = [
    '/v1/pets?status=ALL&limit=100',
    '/v1/orders?limit=100',
    '/v1/webhooks',
    '/v1/inventories',
    '/v1/users',
    `/v1/users/${ids.user}`,
    `/v1/pets/${ids.pet}`,
    `/v1/orders/${ids.order}`,
    `/v1/orders/${ids.order}/payment`,
    `/v1/orders/${ids.order}/receipt`,
    `/v1/webhooks/${ids.webhook}`,
    `/v1/webhooks/${ids.webhook}/deliveries`,
    `/v1/webhooks/${ids.webhook}/redelivery/${ids.redelivery}`,
  ];
  const view: unknown[] = [];
  for (const path of paths) view.push([path, expectStatus(200, await request('GET', path))]);
  return view;
};

/** The request that another tenant's staff send for an operation, and the expected result. */
export type TenantCase =
  | {
      /** Names a resource of another tenant: 404, as for an unknown id. */
      readonly kind: 'by id';
      readonly path: (ids: Ids) => string;
      readonly body?: (ids: Ids) => object;
    }
  | {
      /** Returns many resources: none of another tenant is among them. */
      readonly kind: 'many';
      readonly path: string;
      readonly body?: object;
    }
  | {
      /** Creates a resource: the same Idempotency-Key creates one in each tenant, and each sees its own. */
      readonly kind: 'creates';
      readonly path: string;
      readonly body: (ids: Ids, receiver: Receiver) => object;
    }
  | {
      /** Signs in: test/http/sign-in.spec.ts tests it across tenants. */
      readonly kind: 'signs in';
    }
  | {
      /** Returns the same for every tenant. */
      readonly kind: 'public';
      readonly path: string;
    };

const CALLBACK = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z' };
const SINCE = '2026-01-02T03:04:05Z';
const byId = (path: (ids: Ids) => string, body?: (ids: Ids) => object): TenantCase => ({ kind: 'by id', path, ...(body && { body }) });

/** The cases of operations with a body or without an id. The paths of all other operations imply their cases. */
const EXPLICIT_CASES: Readonly<Record<string, TenantCase>> = {
  listPets: { kind: 'many', path: '/v1/pets?status=ALL&limit=100' },
  searchPets: { kind: 'many', path: '/v1/pets', body: { pagination: { limit: 100 } } },
  searchPetsByPath: { kind: 'many', path: '/v1/pets/search', body: { criteria: { medical: {} }, pagination: { limit: 100 } } },
  searchPetsByPost: { kind: 'many', path: '/v1/pets/search', body: { sort: { field: 'price', order: 'ASC' }, pagination: { limit: 100 } } },
  createPet: { kind: 'creates', path: '/v1/pets', body: () => PRICED_PET },
  updatePet: byId(
    ({ pet }) => `/v1/pets/${pet}`,
    () => ({ ...PRICED_PET, status: 'NOT_AVAILABLE' }),
  ),
  listOrders: { kind: 'many', path: '/v1/orders?limit=100' },
  createOrder: byId(
    () => '/v1/orders',
    ({ pet }) => ({ petId: pet }),
  ),
  callbackOrder: byId(
    ({ order }) => `/v1/orders/${order}`,
    () => ({ ...CALLBACK, callbackUrl: 'http://127.0.0.1:1/nobody' }),
  ),
  createOrderPayment: byId(
    ({ order }) => `/v1/orders/${order}/payment`,
    () => ({ amount: '250.00', currency: 'USD', source: card() }),
  ),
  getInventory: { kind: 'many', path: '/v1/inventories' },
  listWebhooks: { kind: 'many', path: '/v1/webhooks' },
  createWebhook: {
    kind: 'creates',
    path: '/v1/webhooks',
    body: (_, receiver) => ({ url: `${receiver.url}/more`, events: ['payment.failed'] }),
  },
  updateWebhook: byId(
    ({ webhook }) => `/v1/webhooks/${webhook}`,
    () => ({ url: 'http://127.0.0.1:1/stolen', events: ['payment.failed'] }),
  ),
  redeliverToWebhook: byId(
    ({ webhook }) => `/v1/webhooks/${webhook}/redelivery`,
    () => ({ since: SINCE }),
  ),
  createAuthToken: { kind: 'signs in' },
  listUsers: { kind: 'many', path: '/v1/users' },
  createUser: { kind: 'creates', path: '/v1/users', body: newUser },
  // The subject of the test's tokens has no account in any tenant.
  getCurrentUser: byId(() => '/v1/users/me'),
  updateUser: byId(
    ({ user }) => `/v1/users/${user}`,
    () => ({ firstName: 'Stolen' }),
  ),
  getCallbackPublicKey: { kind: 'public', path: '/v1/webhooks/public-key' },
};

const pathOf = ({ path }: OperationRecord, { pet, order, webhook, delivery, redelivery, user }: Ids): string => {
  const resources: Readonly<Record<string, string>> = { pets: pet, orders: order, users: user, webhooks: webhook };
  const id = resources[path.split('/')[2] ?? ''] ?? '';
  return path.replace('{id}', id).replace('{deliveryId}', delivery).replace('{redeliveryId}', redelivery);
};

const derivedCase = (operation: OperationRecord): TenantCase => {
  if (operation.path.includes('{id}') && !operation.body) return byId((ids) => pathOf(operation, ids));
  throw new Error(`${operation.id} has a body or no id: add its case to EXPLICIT_CASES in test/http/tenant-scene.ts`);
};

/** One case for each operation. */
export const TENANT_CASES: Readonly<Record<string, TenantCase>> = {
  ...EXPLICIT_CASES,
  ...Object.fromEntries(
    Object.values(OPERATIONS)
      .filter(({ id }) => !(id in EXPLICIT_CASES))
      .map((operation) => [operation.id, derivedCase(operation)]),
  ),
};

/** Returns ids that no resource has. */
export const unknownIds = (): Ids => ({
  pet: randomUUID(),
  order: randomUUID(),
  webhook: randomUUID(),
  delivery: randomUUID(),
  redelivery: randomUUID(),
  user: randomUUID(),
});
